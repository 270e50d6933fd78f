"""Periodic motions: shooting, harmonic balance, Floquet multipliers, waves."""
