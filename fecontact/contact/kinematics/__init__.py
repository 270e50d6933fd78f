"""Relative motion of contact points, and how their history follows the material."""
