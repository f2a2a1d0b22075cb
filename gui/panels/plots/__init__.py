"""Panels that hold a plot."""
