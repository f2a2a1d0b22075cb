"""`autograd` of HIPS as scripts see it: numpy on traced values, and functions of functions."""
