"""The inspector: the graph, one node, several nodes."""
