"""Normal laws, friction laws and friction coefficients, one file each.

Published as `fc.laws` is what laws of one's own are made of: what functions of a point are given,
vectors and matrices for the compiler, and the bristles of `ElastoPlastic`.
"""

from fecontact.lazy import lazy_names

_NAMES = """
point: Stepping Sliding LimitSlopes status_of scalar vector
base: UNLIMITED
algebra: Vector Matrix NO_VECTOR NO_MATRIX add subtract combine scale dot norm unit outer times
    product plus_unit scale_matrix sum_matrices
yielding: compliance yield_step yield_slopes yield_rate coulomb_slide
"""
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
