"""Stability of systems with bodies that turn and are not bodies of revolution."""
