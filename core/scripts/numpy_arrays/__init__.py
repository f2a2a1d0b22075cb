"""numpy as scripts see it: the real one, in which what variables hold records what is done to it."""
