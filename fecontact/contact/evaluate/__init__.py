"""Evaluation of contact pairs: time step, rate form, sliding, fixed status."""
