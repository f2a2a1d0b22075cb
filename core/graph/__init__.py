"""Graphs and their changes: documents, edits, history, order, faults."""
