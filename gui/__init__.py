"""The window: canvas, panels and export around one Session. May import cadena; nothing in core imports this."""
