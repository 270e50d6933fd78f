"""Compiled loops over blocks of contact points."""
