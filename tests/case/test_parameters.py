"""Allowed values of parameters that depend on each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import pytest

import fecontact as fc


@dataclass(frozen=True)
class Belt(fc.Parameters):
    kinetic: float = fc.quantity(0.3, "", fc.between(0.0))
    static: float = fc.quantity(0.6, "", fc.between("kinetic"))
    inner: float = fc.quantity(0.1, "m", fc.between(0.0, "outer"))
    outer: float = fc.quantity(0.2, "m", fc.POSITIVE)
    angle: float = fc.quantity(1.0, "", fc.between(0.0, pi / 2))
    slip: float = fc.quantity(5.0, "rad/s", fc.NONZERO)
    cells: int = fc.quantity(12, "", fc.multiple_of(4, 8), numerical=True)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("kinetic=0", "invalid kinetic = 0.0: expected > 0"),
        ("static=0.3", "invalid static = 0.3: expected > kinetic = 0.3"),
        ("inner=0.25", "invalid inner = 0.25 m: expected > 0 and < outer = 0.2"),
        ("inner=nan", "invalid inner = nan m: expected a finite number"),
        ("angle=1.6", "invalid angle = 1.6: expected > 0 and < 1.5708"),
        ("slip=0", "invalid slip = 0.0 rad/s: expected other than 0"),
        ("cells=10", "invalid cells = 10: expected a multiple of 4, at least 8"),
        ("cells=4", "invalid cells = 4: expected a multiple of 4, at least 8"),
    ],
)
def test_refused(setting, words):
    with pytest.raises(fc.InputError) as error:
        Belt().override([setting])
    assert str(error.value) == words


def test_both_ends_may_move():
    assert Belt().override(["inner=0.3", "outer=0.4"]).inner == 0.3
