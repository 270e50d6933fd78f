"""Linearisation, complex modes, mechanisms, stability boundaries and maps."""
