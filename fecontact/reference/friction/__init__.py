"""Stick, slip, hysteresis and friction-induced vibration."""
