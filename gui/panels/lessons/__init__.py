"""The editor of a lesson."""
