"""The expression bar: the graph as text above the canvas, the results of its lines, and sliders for its numbers."""
