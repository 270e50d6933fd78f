"""Balance of the forces of a motion at one instant, and at many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from fecontact.typing import Floats

__all__ = ["Balance", "Balances", "Slips"]


@dataclass(frozen=True, eq=False)
class Balance:
    """Residual r (n,), rates z' (s,), rows c' (m,) at an instant, and their derivatives.

    `acting` (n,) is the sum of the sizes of the forces that balance each other in r; without it
    (None), the products of derivatives and unknowns stand for them.
    """

    residual: Floats
    by_q: Floats
    by_v: Floats
    by_a: Floats
    by_z: Floats
    rate: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    z_rate_by_z: Floats
    rows: Floats
    rows_by_q: Floats
    rows_by_v: Floats
    acting: Floats | None = None


@dataclass(frozen=True, eq=False)
class Balances:
    """Balances at N instants: the fields of `Balance` with one row each; no constraint rows."""

    residual: Floats
    by_q: Floats
    by_v: Floats
    by_a: Floats
    by_z: Floats
    rate: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    acting: Floats | None = None

    @staticmethod
    def of(balances: Sequence[Balance]) -> Balances:
        """Take them together."""
        names = [each.name for each in fields(Balances)]
        if any(balance.acting is None for balance in balances):
            names.remove("acting")
        return Balances(**{n: np.array([getattr(each, n) for each in balances]) for n in names})


class Slips(NamedTuple):
    """Slip velocity (N, s) of undamped bristles at N instants, and their largest elastic slip.

    With derivatives by q and v (N, s, n) of the velocity, and (N, p, n) of the limit (N, p).
    """

    rate: Floats
    by_q: Floats
    by_v: Floats
    limit: Floats
    limit_by_q: Floats
    limit_by_v: Floats
