"""Lessons, icons, fonts and the schema of the file format; read through importlib.resources."""
