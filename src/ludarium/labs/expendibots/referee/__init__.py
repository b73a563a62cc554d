"""The course's referee: one game under its limits, told in its words."""
