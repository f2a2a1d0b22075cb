"""Documents as .cadena files: JSON, one node per line, that reads well in a diff; read with care, saved atomically."""
