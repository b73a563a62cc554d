"""What people see who have not chosen a game yet."""
