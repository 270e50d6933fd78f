"""A part of a model is made anew only if a parameter that it reads has changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from fecontact import cached_by


@dataclass(frozen=True)
class Plate:
    length: float = 1.0
    friction: float = 0.1


@pytest.fixture
def counted():
    calls = []

    @cached_by("length")
    def model(p, cells=4, *, order=1):
        calls.append((p.length, cells, order))
        return p.length, cells, order

    return model, calls


def test_other_parameters_do_not_matter(counted):
    model, calls = counted
    assert model(Plate()) is model(replace(Plate(), friction=0.5))
    assert len(calls) == 1


def test_its_own_parameters_and_arguments_do(counted):
    model, calls = counted
    found = [model(Plate()), model(Plate(length=2.0)), model(Plate(), 8), model(Plate(), order=2)]
    assert found == calls == [(1.0, 4, 1), (2.0, 4, 1), (1.0, 8, 1), (1.0, 4, 2)]


def test_a_parameter_that_is_not_there_is_an_error():
    with pytest.raises(AttributeError, match="width"):
        cached_by("width")(lambda p: p)(Plate())
