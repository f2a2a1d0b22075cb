"""Settings and comparisons of the methods."""
