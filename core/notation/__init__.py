"""Numbers, calls and steps written for people: plain text for sentences and labels, LaTeX for formulas."""
