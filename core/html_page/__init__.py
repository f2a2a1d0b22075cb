"""A graph to take away: one page of HTML that plays its steps, and the still picture for where that cannot be."""
