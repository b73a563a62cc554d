"""What hexabomb looks like: on pages and in terminals."""
