"""The doctor: faults in the numbers of a run (findings), and their fixes."""
