"""Graphs made from graphs: composite operations expanded, the reverse pass as nodes."""
