"""Text for actions, programs and states."""
