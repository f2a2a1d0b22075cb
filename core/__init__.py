"""The engine: graphs, their values and their gradients. numpy only; no window, no Qt."""
