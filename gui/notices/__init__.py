"""Banners, progress of tasks, and toasts over the canvas."""
