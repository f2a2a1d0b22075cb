"""The `torch` that scripts see: tensors on a script's tape, and the modules around them."""
