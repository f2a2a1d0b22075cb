"""A second graph or method beside the first, played together with it; imported when it is first shown."""
