"""Pendulums, tops, joints, gears, bodies in natural coordinates."""
