"""LaTeX set as pictures, and laid out in lines."""
