"""On top of Expendibots: the course's referee, for players as they were written for it."""
