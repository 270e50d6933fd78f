"""Abaqus and CalculiX decks as finite-element models."""
