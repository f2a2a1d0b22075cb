"""Unsaved work outlives the program: copies written while somebody works, and what the next start offers of them."""

from gui.recovery.keeper import Recovery, user_folder

__all__ = ["Recovery", "user_folder"]
