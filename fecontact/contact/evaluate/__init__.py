"""Evaluation of contact pairs: time step, rate form, sliding, fixed status.

The modules of this folder are the reference form: arrays over the points, in Python. `compiled/`
does the same by kernels for one pair that is asked from Python, `lowered/` for a pair within a
compiled program, which is called by its address with the record of its coordinates.
"""
