"""Fuzzers: short and seeded in the suite. `pytest tests/fuzz --long` is the long run; FIGURES.md has its figures."""
