"""Scripts written for PyTorch, run here without it: `running` starts a child process, where `torch` answers with traced
values, and gets back what was printed and the graph of each backward pass.

`limits` says what a script may do, and what that does and does not protect against.
"""
