"""Few neighbouring numbers at once, for kernels.

The compiler turns long loops into vector instructions, but not the three or four operations on the
components of a vector. Within a kernel these functions work on rows of four or eight numbers by
one instruction each, on any processor that has such; outside they are plain Python. Arrays are
contiguous (else the kernel is refused), rows may begin anywhere in them, and as elsewhere in
kernels no index is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from fecontact.typing import Floats, Integers

__all__ = ["LONG", "TERMS", "add_vector", "blend_terms", "blended", "fill_rows"]

LONG = 8
"""Length of the rows of `fill_rows`."""

TERMS = 9
"""Number of sums of `blend_terms`."""

_build: Any = cgutils
_kinds: Any = types


def blended(
    values: Floats, rows: Integers, weights: Floats, first: int, apart: int
) -> tuple[float, float, float]:
    """First three numbers of the sum of `rows` of values (n, 4), each times its weight.

    The weight of the i-th row is the number first + i apart of `weights`.
    """
    own = weights[first + apart * np.arange(len(rows))]
    x, y, z = own @ values[rows, :3]
    return x, y, z


def blend_terms(values: Floats, rows: Integers, weights: Floats, result: Floats) -> None:
    """Nine sums (36,) of `rows` of values (n, 4), each times its row of weights (k, 9)."""
    result[: 4 * TERMS] = (weights.T @ values[rows]).ravel()


def add_vector(result: Floats, row: int, factor: float, x: float, y: float, z: float) -> None:
    """Add a multiple of a vector to the first three numbers of a row of result (n, 4)."""
    result[row, :3] += (factor * x, factor * y, factor * z)


def fill_rows(result: Floats, first: int, apart: int, values: Sequence[float]) -> None:
    """Set eight numbers of result (n,) to each of the values: from first + i apart on."""
    for i, value in enumerate(values):
        result[first + i * apart : first + i * apart + LONG] = value


def _row_of(count: int) -> Any:
    return ir.VectorType(ir.DoubleType(), count)


def _joined(builder: Any, count: int, numbers: Sequence[Any]) -> Any:
    """Row of the numbers, zeros behind them."""
    row = ir.Constant(_row_of(count), [0.0] * count)
    for i, number in enumerate(numbers):
        row = builder.insert_element(row, number, ir.Constant(ir.IntType(32), i))
    return row


class _Array:
    """Array within a kernel that is being built."""

    def __init__(self, context: Any, builder: Any, kind: Any, array: Any) -> None:
        fields = _build.create_struct_proxy(kind)(context, builder, array)
        self.builder, self.data, self.size = builder, fields.data, fields.nitems

    def number(self, at: Any) -> Any:
        """One of its numbers."""
        return self.builder.load(self.builder.gep(self.data, [at]))

    def pointer(self, at: Any, count: int) -> Any:
        """Pointer to a row."""
        begin = self.builder.gep(self.data, [at])
        return self.builder.bitcast(begin, _row_of(count).as_pointer())


def _add(builder: Any, pointer: Any, factor: Any, row: Any) -> None:
    product = builder.fmul(_joined(builder, 4, [factor] * 4), row, flags=("contract",))
    total = builder.fadd(builder.load(pointer, align=8), product, flags=("contract",))
    builder.store(total, pointer, align=8)


def _arrays(context: Any, builder: Any, signature: Any, arguments: Any) -> list[_Array]:
    pairs = zip(signature.args, arguments, strict=True)
    return [_Array(context, builder, kind, value) for kind, value in pairs if hasattr(kind, "ndim")]


def _sums(builder: Any, arrays: list[_Array], first: Any, apart: Any, count: int) -> list[Any]:
    """Sums of rows with `count` weights beside each other; they stay in registers."""
    values, rows, weights = arrays
    totals = [_build.alloca_once(builder, _row_of(4)) for _ in range(count)]
    for total in totals:
        builder.store(_joined(builder, 4, []), total, align=8)
    with _build.for_range(builder, rows.size) as loop:
        at = builder.mul(rows.number(loop.index), ir.Constant(apart.type, 4))
        row = builder.load(values.pointer(at, 4), align=8)
        weight = builder.add(first, builder.mul(loop.index, apart))
        for i, total in enumerate(totals):
            own = weights.number(builder.add(weight, ir.Constant(apart.type, i)))
            _add(builder, total, own, row)
    return [builder.load(total, align=8) for total in totals]


def _build_blend(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    arrays = _arrays(context, builder, signature, arguments)
    (sums,) = _sums(builder, arrays, arguments[3], arguments[4], 1)
    parts = [builder.extract_element(sums, ir.Constant(ir.IntType(32), i)) for i in range(3)]
    return context.make_tuple(builder, signature.return_type, parts)


def _build_terms(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    *arrays, result = _arrays(context, builder, signature, arguments)
    number = result.size.type
    none, apart = ir.Constant(number, 0), ir.Constant(number, TERMS)
    for i, row in enumerate(_sums(builder, arrays, none, apart, TERMS)):
        builder.store(row, result.pointer(ir.Constant(number, 4 * i), 4), align=8)
    return context.get_dummy_value()


def _build_add(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array, row, factor, *vector = arguments
    at = builder.mul(row, ir.Constant(row.type, 4))
    pointer = _Array(context, builder, signature.args[0], array).pointer(at, 4)
    _add(builder, pointer, factor, _joined(builder, 4, vector))
    return context.get_dummy_value()


def _build_fill(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array, at, apart, values = arguments
    result = _Array(context, builder, signature.args[0], array)
    for i in range(signature.args[3].count):
        value = builder.extract_value(values, i)
        builder.store(_joined(builder, LONG, [value] * LONG), result.pointer(at, LONG), align=8)
        at = builder.add(at, apart)
    return context.get_dummy_value()


def _check(*arrays: Any) -> None:
    """Refuse arrays with gaps, and numbers of other types, when a kernel is compiled."""
    for array in arrays:
        if array.layout != "C" or array.dtype not in (_kinds.float64, _kinds.int64):
            raise TypingError(f"invalid rows of {array}: expected float64 or int64 without gaps")


def _type_blend(
    context: Any, values: Any, rows: Any, weights: Any, first: Any, apart: Any
) -> tuple[Any, Any]:
    _check(values, rows, weights)
    three = _kinds.UniTuple(_kinds.float64, 3)
    return three(values, rows, weights, _kinds.intp, _kinds.intp), _build_blend


def _type_terms(context: Any, values: Any, rows: Any, weights: Any, result: Any) -> tuple[Any, Any]:
    _check(values, rows, weights, result)
    return _kinds.void(values, rows, weights, result), _build_terms


def _type_add(
    context: Any, result: Any, row: Any, factor: Any, x: Any, y: Any, z: Any
) -> tuple[Any, Any]:
    _check(result)
    return _kinds.void(result, _kinds.intp, *[_kinds.float64] * 4), _build_add


def _type_fill(context: Any, result: Any, first: Any, apart: Any, values: Any) -> tuple[Any, Any]:
    _check(result)
    return _kinds.void(result, _kinds.intp, _kinds.intp, values), _build_fill


_blend: Any = intrinsic(_type_blend)
_blend_terms: Any = intrinsic(_type_terms)
_add_vector: Any = intrinsic(_type_add)
_fill: Any = intrinsic(_type_fill)


@overload(blended)
def _blended(values: Any, rows: Any, weights: Any, first: Any, apart: Any) -> Any:
    def within(values: Any, rows: Any, weights: Any, first: Any, apart: Any) -> Any:
        return _blend(values, rows, weights, first, apart)

    return within


@overload(blend_terms)
def _terms_blended(values: Any, rows: Any, weights: Any, result: Any) -> Any:
    def within(values: Any, rows: Any, weights: Any, result: Any) -> Any:
        return _blend_terms(values, rows, weights, result)

    return within


@overload(add_vector)
def _added(result: Any, row: Any, factor: Any, x: Any, y: Any, z: Any) -> Any:
    def within(result: Any, row: Any, factor: Any, x: Any, y: Any, z: Any) -> Any:
        return _add_vector(result, row, factor, x, y, z)

    return within


@overload(fill_rows)
def _filled(result: Any, first: Any, apart: Any, values: Any) -> Any:
    def within(result: Any, first: Any, apart: Any, values: Any) -> Any:
        return _fill(result, first, apart, values)

    return within
