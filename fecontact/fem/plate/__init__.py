"""Plate finite elements: Kirchhoff, Mindlin, harmonic; motion in the plane."""
