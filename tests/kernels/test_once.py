"""What numba's compiler does once instead of again and again has the same outcome."""

from __future__ import annotations

from types import SimpleNamespace

import numba
import numpy as np
import pytest
from llvmlite.binding import parse_assembly
from numba import types
from numba.core import base, event, postproc
from numba.core.compiler import Flags, run_frontend
from numba.core.ir import Assign, Inst
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.types import BaseFunction
from numba.core.typing import context
from numba.extending import overload

from fecontact.kernels.decorators import kernel
from fecontact.kernels.once import _known, call_type, once, optimise

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")

TOUCHED = (
    (TargetConfig, "__hash__"),
    (TargetConfig, "__eq__"),
    (BaseFunction, "get_call_type"),
    (Inst, "_rec_list_vars"),
    (base.BaseContext, "refresh"),
    (context.BaseContext, "refresh"),
    (postproc.PostProcessor, "run"),
    (event, "install_timer"),
    (event, "trigger_event"),
)


def touched():
    return [getattr(owner, name) for owner, name in TOUCHED]


def test_numba_is_as_before_afterwards():
    before = touched()

    def interrupted():
        with once():
            assert all(a is not b for a, b in zip(before, touched(), strict=True))
            with once():
                pass
            assert all(a is not b for a, b in zip(before, touched(), strict=True))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert all(a is b for a, b in zip(before, touched(), strict=True))


def test_a_function_that_numba_does_not_have_is_not_changed():
    assert _known((event, "no_such_function", None)) == ()


def test_kernels_do_without_the_changes(monkeypatch):
    monkeypatch.setattr("fecontact.kernels.once._CHANGES", ())

    @kernel
    def total(values):
        result = 0.0
        for value in values:
            result += value
        return result

    before = touched()
    assert total(np.arange(4.0)) == 6.0
    assert all(a is b for a, b in zip(before, touched(), strict=True))


def test_what_is_registered_later_is_found():
    @kernel
    def first(x):
        return x + 1.0

    def doubled(x):
        raise NotImplementedError

    assert first(1.0) == 2.0

    @overload(doubled)
    def _doubled(x):
        return lambda x: 2.0 * x

    @kernel
    def second(x):
        return doubled(x)

    assert second(1.5) == 3.0


def test_options_that_are_equal_have_the_same_hash():
    plain, same, other = Flags(), Flags(), Flags()
    same.nrt, other.nrt = plain.nrt, not plain.nrt  # one is set to its default
    with once():
        assert plain == same
        assert hash(plain) == hash(same)
        assert plain != other
        assert hash(plain) != hash(other)
        assert plain != 3


def test_type_of_a_call_is_found_once_for_its_types_and_options():
    asked = []

    def found(kinds, options=None, named=()):
        def find():
            asked.append(kinds)
            return len(asked)

        with ConfigStack().enter(options or Flags()):
            return call_type(asked, kinds, dict(named), find)

    fast = Flags()
    fast.nrt = not fast.nrt
    number, integer = types.float64, types.int64
    with once():
        assert [found((number,)), found((integer,)), found((number,))] == [1, 2, 1]
        assert [found((number,), fast), found((number,), fast), found((number,))] == [3, 3, 1]
        assert [found((), named=[("a", number)]), found((), named=[("b", number)])] == [4, 5]


def test_what_finding_raises_is_not_remembered():
    def fails():
        raise LookupError

    owner = object()
    with once():
        for _ in range(2):
            with pytest.raises(LookupError):
                call_type(owner, (types.float64,), {}, fails)
        assert call_type(owner, (types.float64,), {}, lambda: 3) == 3


def statements(function):
    for block in run_frontend(function).blocks.values():
        for statement in block.body:
            yield statement
            if isinstance(statement, Assign) and isinstance(statement.value, Inst):
                yield statement.value


def many_kinds(a, b, *more, scale=2.0):
    """Statements of all kinds that kernels have."""
    total, pair = 0.0, (a, b)
    for i, x in enumerate(a):
        if (x > scale and i < len(more)) or not total:
            total += pair[0][i] * b[i : i + 2, 1][-1] + max(x, *more) + sum([2.0 * y for y in a])
        else:
            a[i], b[i, 0] = {"x": x, "y": scale}["x"], np.dot(a, a)
    if total < 0.0:
        raise ValueError("negative", total)
    del pair
    return total, f"{total}"


def test_variables_of_statements_are_those_of_numba():
    each = list(statements(many_kinds))
    plain = [statement.list_vars() for statement in each]
    with once():
        quick = [statement.list_vars() for statement in each]
    assert len(each) > 100
    for a, b in zip(plain, quick, strict=True):
        assert [id(variable) for variable in a] == [id(variable) for variable in b]


def test_a_function_of_numpy_keeps_the_rules_of_its_caller():
    """Typing is remembered by the options: a sum in order, and one that may be re-ordered."""

    @kernel
    def ordered(values):
        return np.sum(values) + np.sum(values)

    @kernel(fastmath=True, allocates=True)
    def free(values):
        return np.sum(values) + np.sum(values)

    values = np.array([1e16, 1.0, -1e16, 1.0] * 16)
    in_order = 0.0
    for value in values.tolist():
        in_order += value
    assert ordered(values) == 2.0 * in_order
    free(values)
    ordered.part.compile((numba.typeof(values),))
    assert ordered(values) == 2.0 * in_order


PLAIN = "define double @f(double %x) { ret double %x }"
COUNTING = "declare void @NRT_decref(i8*)\n" + PLAIN


@pytest.mark.parametrize(("text", "ways"), [(PLAIN, ["once"]), (COUNTING, ["twice"])])
def test_code_that_counts_no_references_is_optimised_once(text, ways):
    done, module, builder = [], parse_assembly(text), object()

    class Passes:
        def run(self, ran, with_builder):
            assert ran is module
            assert with_builder is builder
            done.append("once")

    codegen = SimpleNamespace(_module_pass_manager=lambda: (Passes(), builder))
    library = SimpleNamespace(_codegen=codegen, _final_module=module)
    optimise(library, lambda: done.append("twice"))
    assert done == ways


def test_numba_with_one_value_for_its_passes_optimises_in_its_own_way():
    done = []
    codegen = SimpleNamespace(_module_pass_manager=lambda: object())
    library = SimpleNamespace(_codegen=codegen, _final_module=parse_assembly(PLAIN))
    optimise(library, lambda: done.append("twice"))
    assert done == ["twice"]
