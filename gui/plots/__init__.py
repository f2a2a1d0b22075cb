"""Plots, drawn by pyqtgraph, which is slow to import: `scale` and `errors` do without, the others wait for a plot."""
