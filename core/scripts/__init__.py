"""Scripts written for PyTorch, TensorFlow, JAX and numpy, run here without them, but for numpy.

`running` starts a child process, where `torch`, `tensorflow` and `jax` answer with traced values, and gets back what
was printed and the graph of each backward pass. `limits` says what a script may do, and what that protects against.
"""
