"""Graphs from plain numpy code: `trace` runs a function on traced values; grad, vjp, jvp and the others build on it."""
