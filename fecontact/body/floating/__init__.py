"""Deforming bodies in a floating frame."""
