"""Other languages of the same graph: a table for each says how an operation is written, and what a name means."""
