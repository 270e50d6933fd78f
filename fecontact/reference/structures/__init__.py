"""Beams, plates, discs: frequencies, statics, buckling."""
