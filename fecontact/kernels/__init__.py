"""Decorators of compiled functions, and tools for rows of numbers."""
