"""Unsaved work outlives the program: copies written while somebody works, and what the next start offers of them."""
