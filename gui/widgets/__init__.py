"""Widgets that know neither the session nor any part of the window."""
