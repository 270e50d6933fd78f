"""Equilibrium of systems along load paths, full finite-element bodies condensed."""
