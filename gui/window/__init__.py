"""The window and the application: the only part that knows all others."""
