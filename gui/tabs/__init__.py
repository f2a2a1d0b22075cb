"""Several documents in one window, and several windows."""
