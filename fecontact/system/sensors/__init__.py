"""Sensors: what a system shows of itself beside its coordinates, and how it is read in batches."""
