"""The passes over a compiled plan: forward (values), reverse (gradients)."""
