"""Gear pairs: geometry, rigid and elastic mesh, ideal ratio."""
