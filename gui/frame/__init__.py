"""The parts of a window, how they stand together, and its commands as records."""
