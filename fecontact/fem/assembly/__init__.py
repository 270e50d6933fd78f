"""Assemblies: several finite-element parts as one body."""
