"""All eigenvalues of a sparse quadratic problem in a rectangle of the complex plane."""

from fecontact.solvers.region.modes import QuadraticModes, quadratic_modes

__all__ = ["QuadraticModes", "quadratic_modes"]
