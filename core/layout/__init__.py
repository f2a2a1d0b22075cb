"""Automatic placement: columns and the order in them, the heights of cards, and the whole of it."""
