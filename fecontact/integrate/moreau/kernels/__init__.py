"""Compiled step loop of Moreau's method."""
