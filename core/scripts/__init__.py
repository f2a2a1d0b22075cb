"""Scripts written for PyTorch, TensorFlow and JAX, run here without them.

`running` starts a child process, where `torch`, `tensorflow` and `jax` answer with traced values, and gets back what
was printed and the graph of each backward pass. `limits` says what a script may do, and what that protects against.
"""
