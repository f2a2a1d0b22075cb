"""Graphs out of running frameworks: what a function computes in the user's own PyTorch becomes a document."""
