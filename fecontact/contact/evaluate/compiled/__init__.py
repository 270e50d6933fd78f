"""Contact pairs by compiled kernels, asked one by one from Python."""
