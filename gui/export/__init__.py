"""Pictures and films of a graph, made from the same painters as the canvas."""
