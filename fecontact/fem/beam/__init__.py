"""Beam finite elements."""
