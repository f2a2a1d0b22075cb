"""The panels around the canvas; each reads the Session and listens to its signals."""
