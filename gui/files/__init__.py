"""Opening and saving, settings, tabs and windows, recovery."""
