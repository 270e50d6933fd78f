"""Steady states: balance of forces at rest or at constant speed."""
