"""The state of the interface, and the only signals by which its parts talk."""
