"""Small differences: quotients, the best step, the complex step; answer, timelines, words."""
