"""Flat patches that slide and spin, and contact after Hertz."""
