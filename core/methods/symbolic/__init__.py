"""Differentiation by symbols: expressions, answer, timeline, words."""
