"""Scripts written for PyTorch, TensorFlow, JAX and numpy, run here without them, but for numpy.

`running` starts a child process, where `torch`, `tensorflow` and `jax` answer with traced values, and gets back what
was printed and the graph of each backward pass. `limits` says what a script may do, and what that protects against.

A language to read is a `LanguageRecord` whose `reader` is a package here. Its module `modules` has:
    MODULES: what scripts import, by full names.
    PASSES: the backward passes so far, as `tape.GradientPass`.
    operate(op, operands, attributes): computes an operation on values of the library and records it on the tape.
    STATE.tape, where operations are to be computed by the library's own rules: `tape.by_own_rules` turns these off.
"""
