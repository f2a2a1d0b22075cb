"""The script, and the graph as code."""
