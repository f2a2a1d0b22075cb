"""What can be found by typing, and the one search for it."""
