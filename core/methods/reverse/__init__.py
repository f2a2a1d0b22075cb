"""Reverse mode: its answer, its timeline, its words."""
