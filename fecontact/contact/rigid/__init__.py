"""Unilateral conditions for nonsmooth time stepping."""
