"""Constraint rows of a system: projection, redundancy, reactions."""
