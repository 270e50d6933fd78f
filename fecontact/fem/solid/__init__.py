"""Solid finite elements."""
