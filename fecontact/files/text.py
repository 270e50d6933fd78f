"""Numbers written as text."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.typing.arrays import Floats, Integers

__all__ = ["text_numbers", "whole_numbers"]

LARGEST_WHOLE = 2**53
"""Largest number up to which every whole number is a double."""


def text_numbers(text: str | bytes) -> Floats:
    r"""All numbers of a text, separated by blanks; a `ValueError` if anything else is in it.

    Examples
    --------
    >>> text_numbers("1 -2.5e3\n7").tolist()
    [1.0, -2500.0, 7.0]
    >>> text_numbers("1 2.5e")
    Traceback (most recent call last):
    ...
    ValueError: something in place of a number
    """
    if not text.strip():
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, sep=" ")
        except (DeprecationWarning, ValueError):
            raise ValueError("something in place of a number") from None


def whole_numbers(values: npt.NDArray[Any]) -> Integers:
    """Whole numbers as integers; a `ValueError` for 1.5, nan, and numbers that a double rounds."""
    if values.dtype.kind == "f":
        wrong = ~(np.abs(values) <= LARGEST_WHOLE) | (values != np.floor(values))
        if np.any(wrong):
            raise ValueError(f"{values[wrong][0]:.15g} in place of a whole number")
    elif values.dtype.kind == "u" and values.size and values.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{values.max()} in place of a number")
    elif values.dtype.kind not in "iub":
        raise ValueError("something in place of whole numbers")
    return values.astype(np.int64)
