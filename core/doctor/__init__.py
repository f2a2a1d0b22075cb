"""What is wrong with the numbers of a run (findings), and what helps (fixes)."""
