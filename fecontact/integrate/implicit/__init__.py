"""Generalised-alpha method on the Lie group."""
