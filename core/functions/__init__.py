"""Functions: named subgraphs used as nodes, with an optional custom gradient.

`calls` turns each into an operation, `body` computes their subgraphs, `rules` derives their gradients.
"""
