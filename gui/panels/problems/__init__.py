"""Faults, hints and their fixes."""
