"""Arrays in compiled code: parts of them, and many of them behind one pointer.

Slices, shapes and tuples of arrays cost little when kernels run and much when they are compiled: a
slice looks at its ends, a shape may have to copy, and a tuple of twenty arrays is a hundred numbers
that every call hands over and whose owners it counts. Here a part of an array is a pointer and its
lengths, and a `Bundle` of arrays is one pointer. Both look at memory that somebody else keeps:
who calls a kernel holds its arrays while it runs. As elsewhere in kernels no index is checked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from fecontact.typing import Floats, Integers

__all__ = ["Bundle", "after", "integers", "matrix", "part", "viewed"]

_numba: Any = numba
_kinds: Any = types
_make_array: Any = make_array
_populate: Any = populate_array
_Type: Any = types.Type
_Pointer: Any = models.PrimitiveModel
_Attributes: Any = AttributeTemplate
_array_kind: Any = types.Array
_number: Any = from_dtype
_native: Any = NativeValue
_unboxes: Any = unbox
_lowers_attribute: Any = lower_getattr_generic
WORD = ir.IntType(64)


class Bundle:
    """Arrays under names, which kernels get as one pointer.

    A class of its own names them, as in a dataclass; one that derives from it adds to them. Kernels
    read them by name; their numbers may change at any time, the arrays themselves may not.

    Examples
    --------
    >>> class Motion(Bundle):
    ...     q: Floats
    ...     mass: Floats
    >>> motion = Motion(q=np.zeros(2), mass=np.eye(2))
    >>> motion.mass.shape
    (2, 2)
    """

    address: int
    """Where the pointers and lengths of the arrays begin in memory."""
    kind: Any
    """Type of numba."""

    def __init__(self, **arrays: Any) -> None:
        kinds_of = [kind for kind in type(self).__mro__[::-1] if issubclass(kind, Bundle)][1:]
        names = [name for kind in kinds_of for name in vars(kind).get("__annotations__", ())]
        if set(names) != set(arrays):
            raise TypeError(f"invalid arrays {sorted(arrays)}: expected {sorted(names)}")
        words: list[int] = []
        for name in names:
            array = arrays[name]
            if not array.flags.c_contiguous:
                raise ValueError(f"invalid array '{name}': expected one that is contiguous")
            words += [array.ctypes.data, *array.shape]
            setattr(self, name, array)
        self._words = np.array(words, dtype=np.int64)
        self.address = self._words.ctypes.data
        kinds = [(name, arrays[name].dtype.char, arrays[name].ndim) for name in names]
        self.kind = _kind_of(type(self).__name__, tuple(kinds))


class _BundleType(_Type):  # type: ignore[misc, unused-ignore]
    """Type of a bundle: names and types of its arrays."""

    def __init__(self, name: str, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = dict(fields)
        super().__init__(f"{name}({', '.join(f'{n}: {kind}' for n, kind in fields)})")

    def first_word(self, name: str) -> int:
        """Where the pointer of an array stands; its lengths follow."""
        names = list(self.fields)
        return sum(1 + self.fields[each].ndim for each in names[: names.index(name)])


@cache
def _kind_of(name: str, kinds: tuple[tuple[str, str, int], ...]) -> _BundleType:
    """Type of a bundle of arrays with these types of numbers and dimensions."""
    fields = [(each, _array_kind(_number(np.dtype(char)), n, "C")) for each, char, n in kinds]
    return _BundleType(name, tuple(fields))


@register_model(_BundleType)
class _BundleModel(_Pointer):  # type: ignore[misc, unused-ignore]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@typeof_impl.register(Bundle)
def _type_of_bundle(bundle: Any, context: Any) -> Any:
    return bundle.kind


def _unbox_bundle(kind: Any, thing: Any, context: Any) -> Any:
    address = context.pyapi.object_getattr_string(thing, "address")
    word = context.pyapi.long_as_ulonglong(address)
    context.pyapi.decref(address)
    return _native(context.builder.inttoptr(word, WORD.as_pointer()))


_unboxes(_BundleType)(_unbox_bundle)


@infer_getattr
class _BundleAttributes(_Attributes):  # type: ignore[misc, unused-ignore]
    key = _BundleType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        return kind.fields.get(name)


def _array_of_bundle(context: Any, builder: Any, kind: Any, words: Any, name: str) -> Any:
    array, first = kind.fields[name], kind.first_word(name)
    never_changes = builder.module.add_metadata([])

    def word(i: int) -> Any:
        loaded = builder.load(builder.gep(words, [WORD(first + i)]))
        loaded.set_metadata("invariant.load", never_changes)
        return loaded

    data = builder.inttoptr(word(0), context.get_data_type(array.dtype).as_pointer())
    return _view(context, builder, array, data, [word(1 + i) for i in range(array.ndim)])


_lowers_attribute(_BundleType)(_array_of_bundle)


def _view(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Array without an owner."""
    array = _make_array(kind)(context, builder)
    size = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    _populate(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


def _seen_as(dtype: Any, dimensions: int) -> Any:
    """Function for numba that builds a view from where it begins and its lengths."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, at, *shape = arguments
        data = _make_array(signature.args[0])(context, builder, source).data
        begin = builder.gep(data, [at])
        begin = builder.bitcast(begin, context.get_data_type(dtype).as_pointer())
        return _view(context, builder, signature.return_type, begin, shape)

    def typed(source: Any) -> Any:
        if getattr(source, "layout", "") != "C" or source.dtype != _kinds.float64:
            raise TypingError(f"part of {source}: expected a contiguous array of floats")
        lengths = (_kinds.int64,) * (1 + dimensions)
        return _kinds.Array(dtype, dimensions, "C")(source, *lengths), build

    return typed


_as_part = _seen_as(_kinds.float64, 1)
_as_matrix = _seen_as(_kinds.float64, 2)
_as_integers = _seen_as(_kinds.int64, 1)


def _build_after(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    source, at = arguments
    array = _make_array(signature.args[0])(context, builder, source)
    size = builder.sub(array.nitems, at)
    return _view(context, builder, signature.return_type, builder.gep(array.data, [at]), [size])


def _type_after(context: Any, a: Any, at: Any) -> Any:
    signature, _ = _as_part(a)
    return signature.return_type(*signature.args[:2]), _build_after


def _type_part(context: Any, a: Any, at: Any, size: Any) -> Any:
    return _as_part(a)


def _type_matrix(context: Any, a: Any, at: Any, rows: Any, columns: Any) -> Any:
    return _as_matrix(a)


def _type_integers(context: Any, a: Any, at: Any, size: Any) -> Any:
    return _as_integers(a)


def _build_viewed(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    pointer, size = arguments
    return _view(context, builder, signature.return_type, pointer, [size])


def _type_viewed(context: Any, pointer: Any, size: Any) -> Any:
    array = _kinds.Array(_kinds.float64, 1, "C")
    return array(_kinds.CPointer(_kinds.float64), _kinds.int64), _build_viewed


def _plain_viewed(pointer: Any, size: int) -> Floats:
    return pointer[:size]


def _plain_after(a: Floats, at: int) -> Floats:
    return a.reshape(-1)[at:]


def _plain_part(a: Floats, at: int, size: int) -> Floats:
    return a.reshape(-1)[at : at + size]


def _plain_matrix(a: Floats, at: int, rows: int, columns: int) -> Floats:
    return a.reshape(-1)[at : at + rows * columns].reshape(rows, columns)


def _plain_integers(a: Floats, at: int, size: int) -> Integers:
    return a.reshape(-1)[at : at + size].view(np.int64)


_interpreted = bool(_numba.config.DISABLE_JIT)
after: Any = _plain_after if _interpreted else intrinsic(_type_after)
"""after(a, at): numbers of an array, from the given one to the last."""
part: Any = _plain_part if _interpreted else intrinsic(_type_part)
"""part(a, at, size): so many numbers of an array, from the given one on."""
matrix: Any = _plain_matrix if _interpreted else intrinsic(_type_matrix)
"""matrix(a, at, rows, columns): numbers of an array as a matrix."""
integers: Any = _plain_integers if _interpreted else intrinsic(_type_integers)
"""integers(a, at, size): numbers of an array of floats as the integers they hold."""
viewed: Any = _plain_viewed if _interpreted else intrinsic(_type_viewed)
"""viewed(pointer, size): numbers at a pointer; without compilation it is an array already."""
