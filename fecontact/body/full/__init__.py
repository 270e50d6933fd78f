"""Reduced bodies in all unknowns of their finite-element models."""
