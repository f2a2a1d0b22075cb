"""All elements of tensors, and all nodes, as tables."""
