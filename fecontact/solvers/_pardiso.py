"""PARDISO of Intel's MKL through pypardiso, for symmetric matrices.

pypardiso's own `solve` is made for unsymmetric matrices: it refuses a triangle, copies the index
arrays at every call and refines every solution twice. Here the library is called directly with
the upper triangle. All that is private to pypardiso stays in this file.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.errors import SingularError, SolverError
from fecontact.typing import Floats

__all__ = ["FREE_BODY", "available", "factorise"]

FREE_BODY = (
    "the matrix is singular to round-off: the body or a part of it can move freely; fix an edge or "
    "a surface, add a spring or use a free method; if all is held, look for needle cells and very "
    "soft springs"
)

POSITIVE_DEFINITE, INDEFINITE = 2, -2
ANALYSE_FACTORISE, SOLVE, RELEASE = 12, 33, -1
NOT_POSITIVE = -4  # error code: a zero or negative pivot
NOTHING = np.zeros(1)
REPRODUCIBLE = 34  # iparm: number of threads of the reproducible mode
CBWR_AUTO = 2  # reproducible arithmetic, the fastest of this processor

SETTINGS = {1: 1, 2: 2, 8: 0, 10: 0, 13: 0}
"""iparm, counted from 1: own settings, METIS ordering, no refinement, no scaling or matching."""

SETTINGS_INDEFINITE = {1: 1, 2: 2, 8: 2, 10: 8, 11: 1, 13: 1, 21: 1}
"""With scaling, matching, Bunch-Kaufman pivots and two refinements."""


@cache
def available() -> bool:
    """Whether pypardiso and its MKL can be loaded."""
    try:
        _library()
    except SolverError:
        return False
    return True


def factorise(A: sp.csr_array, definite: bool) -> Callable[[Floats], Floats]:
    """Factorise the upper triangle of A and return `solve(b)`; its memory is freed with it."""
    factors = _Factors(A, definite)

    def solve(b: Floats) -> Floats:
        return factors.solve(b)

    weakref.finalize(solve, factors.release).atexit = False
    return solve


class _Factors:
    """Handle of a factorisation inside MKL, with the arrays it refers to."""

    def __init__(self, A: sp.csr_array, definite: bool) -> None:
        triangle = sp.triu(A, format="csr")
        triangle.sort_indices()
        self._size = A.shape[0]
        self._type = POSITIVE_DEFINITE if definite else INDEFINITE
        self._values = np.ascontiguousarray(triangle.data, dtype=float)
        self._rows = triangle.indptr.astype(np.int32) + np.int32(1)
        self._columns = triangle.indices.astype(np.int32) + np.int32(1)
        self._handle = np.zeros(64, dtype=np.int64)
        self._iparm = np.zeros(64, dtype=np.int32)
        for number, value in (SETTINGS if definite else SETTINGS_INDEFINITE).items():
            self._iparm[number - 1] = value
        self._pardiso = _library().pardiso
        threads = _library().MKL_Get_Max_Threads()
        self._iparm[REPRODUCIBLE - 1] = threads if threads > 1 else 0
        try:
            self._call(ANALYSE_FACTORISE)
        except SolverError:
            self.release()
            raise

    def solve(self, b: Floats) -> Floats:
        """Solve for b of shape (n,) or (n, m)."""
        b = np.asfortranarray(b, dtype=float)
        x = np.empty_like(b, order="F")
        self._call(SOLVE, b, x)
        return x

    def release(self) -> None:
        """Free the memory inside MKL."""
        self._call(RELEASE)

    def _call(self, phase: int, b: Floats = NOTHING, x: Floats = NOTHING) -> None:
        error = ctypes.c_int32(0)
        self._pardiso(
            _pointer(self._handle, ctypes.c_int64),
            _integer(1),
            _integer(1),
            _integer(self._type),
            _integer(phase),
            _integer(self._size),
            _pointer(self._values, ctypes.c_double),
            _pointer(self._rows, ctypes.c_int32),
            _pointer(self._columns, ctypes.c_int32),
            _pointer(self._rows, ctypes.c_int32),  # permutation, not used
            _integer(1 if b.ndim == 1 else b.shape[1]),
            _pointer(self._iparm, ctypes.c_int32),
            _integer(0),
            _pointer(b, ctypes.c_double),
            _pointer(x, ctypes.c_double),
            ctypes.byref(error),
        )
        if error.value == NOT_POSITIVE:
            raise SingularError(FREE_BODY)
        if error.value != 0:
            raise SolverError(_MESSAGES.get(error.value, f"PARDISO failed with code {error.value}"))


def _integer(value: int) -> Any:
    return ctypes.byref(ctypes.c_int32(value))


def _pointer(array: Any, kind: Any) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(kind))


_MESSAGES = {-2: "PARDISO has not enough memory; use a coarser mesh"}


@cache
def _library() -> Any:
    """MKL: from the package `mkl`, or where pypardiso finds it.

    pypardiso walks through the whole folder of Python for it, 0.4 s at each call.
    """
    try:
        listed = importlib.metadata.files("mkl") or []
        found = [str(file.locate()) for file in listed if "mkl_rt" in file.name]
        return _reproducible(ctypes.CDLL(found[0]))
    except (importlib.metadata.PackageNotFoundError, IndexError, AttributeError, OSError):
        pass
    try:
        from pypardiso import PyPardisoSolver
    except ImportError as error:
        raise SolverError(
            f"backend 'pardiso' is not usable ({error}); install fecontact[fast] or take 'superlu'"
        ) from error
    return _reproducible(PyPardisoSolver().libmkl)


def _reproducible(library: Any) -> Any:
    """Let several threads give the same digits in every run, whatever else the machine does.

    One thread does so by itself, and 20 % faster than in this mode.
    """
    if library.MKL_Get_Max_Threads() > 1:
        library.MKL_CBWR_Set(CBWR_AUTO)
    return library
