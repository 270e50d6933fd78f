"""Rigid bodies that are welded to others: their coordinates follow, without multipliers."""
