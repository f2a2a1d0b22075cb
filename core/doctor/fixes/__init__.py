"""What would fix a bad number: pure edits of the document, each tried on the very run that went wrong."""
