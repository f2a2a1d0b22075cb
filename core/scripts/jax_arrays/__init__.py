"""JAX as scripts see it: arrays that answer with traced values, and the transformations of functions."""
