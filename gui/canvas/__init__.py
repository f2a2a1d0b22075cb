"""The canvas: one painting surface; camera, layers, hit testing, and one class per mouse gesture."""
