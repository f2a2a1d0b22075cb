"""The languages by name, for those who list them and should not wait for their tables."""

LANGUAGES = ("numpy", "torch", "jax", "tensorflow", "eigen", "latex", "dot", "graphml", "markdown")

ENGINES = ("numpy", "torch", "jax")  # what may run a document; the last two by their exported code
