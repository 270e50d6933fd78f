"""Equilibrium along load paths, of systems and of finite-element bodies."""
