"""The `tensorflow` that scripts see: tensors, variables and tapes, and the parts of Keras that a first course uses."""
