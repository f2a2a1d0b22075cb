"""Graphs as people write them: expressions in Python's grammar, read and written, never evaluated."""
