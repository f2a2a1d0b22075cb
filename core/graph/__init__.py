"""What a graph is and how it changes: documents, edits, history, order, faults."""
