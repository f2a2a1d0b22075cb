"""Lessons in the window: the strip of their texts, the gallery and the editor, each imported when first seen."""
