"""Training of the document."""
