"""The window: canvas, panels and export around one Session. May import core; nothing in core imports this."""
