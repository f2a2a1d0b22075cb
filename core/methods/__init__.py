"""Ways to differentiate, side by side: reverse mode, forward mode, differences, complex step and symbols.

run = cadena.compile(document).run()
reverse(run), forward(run), difference(run, "central"), symbolic(run)  # an Answer each
compare(document).verdict  # which to believe
compare_node(run, "m").verdict  # the same for any node: the graph is cut there
sweep(document, "x").errors  # the V of truncation and rounding
"""
