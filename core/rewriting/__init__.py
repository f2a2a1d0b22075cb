"""Graphs made from graphs: composite operations taken apart, the reverse pass as nodes."""
