"""Fixes of bad numbers: pure edits of the document, each tried on the very run that went wrong."""
