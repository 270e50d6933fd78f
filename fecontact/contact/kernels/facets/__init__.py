"""Compiled contact with the facets of an elastic body."""
