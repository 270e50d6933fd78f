"""Linear systems, eigenvalues and Newton's method, each with one signature."""
