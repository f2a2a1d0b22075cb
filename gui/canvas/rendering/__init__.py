"""The picture: a pure function of document, run and time."""
