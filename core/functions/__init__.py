"""Functions: named subgraphs used as nodes, with an optional custom gradient.

`calls` makes an operation of each and `body` walks their subgraphs; `edits` makes and changes them, `opening` steps
inside.
"""
