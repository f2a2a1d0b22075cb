"""Forward mode: its answer, its timelines, their words."""
