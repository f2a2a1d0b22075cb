"""The hand: hit testing, gestures, editors, keys."""
