"""The same steady sliding state in all unknowns of the finite elements, and certificates by it."""
