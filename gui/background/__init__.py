"""Work outside the interface thread, and work that waits for the next frame."""
