"""Scripts written for PyTorch and TensorFlow, run here without them: `running` starts a child process, where `torch`
and `tensorflow` answer with traced values, and gets back what was printed and the graph of each backward pass.

`limits` says what a script may do, and what that does and does not protect against.
"""
