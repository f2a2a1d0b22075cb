"""C++ with Eigen: programs with dual numbers or gradients written out."""
