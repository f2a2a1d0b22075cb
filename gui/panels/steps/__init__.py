"""The current step: its formula, questions, paths and matrices."""
