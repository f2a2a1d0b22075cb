"""Running a graph: plan, program, passes."""
