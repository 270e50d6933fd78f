"""Reports of compiled contacts, from what their kernels show of each point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.evaluate.compiled_points import Evaluation
from fecontact.contact.kernels import layout
from fecontact.contact.report import Bristling, ContactReport
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["rate_report", "step_report"]


class Shown:
    """Columns of the rows that a kernel shows, vectors in space components."""

    def __init__(self, found: Evaluation) -> None:
        rows = found.shown.reshape(len(found.shown), -1, layout.BLOCK).transpose(0, 2, 1)
        self._rows = rows.reshape(-1, rows.shape[2])[: len(found.status)]
        self._rotation = found.rotation

    def column(self, first: int) -> Floats:
        """Values (p,) of a row."""
        return self._rows[:, first // layout.BLOCK].copy()

    def vector(self, first: int) -> Floats:
        """Vectors (p, 3) of three rows."""
        k = first // layout.BLOCK
        return self._rows[:, k : k + 3] @ self._rotation.T


def step_report(pair: ContactPair, found: Evaluation, v: Floats, h: float) -> ContactReport:
    """What the points do at the end of a step h, with mean powers of the step."""
    shown = Shown(found)
    z, old = shown.vector(layout.SHOWN_Z), shown.vector(layout.SHOWN_OLD_SLIP)
    bend = z - old
    slide = old + shown.vector(layout.SHOWN_SHIFT) - z
    return _report(pair, found, shown, v, z, bend / h, h).over_step(bend, slide)


def rate_report(pair: ContactPair, found: Evaluation, v: Floats) -> ContactReport:
    """What the points do in continuous time."""
    shown = Shown(found)
    z, rate = shown.vector(layout.SHOWN_OLD_SLIP), shown.vector(layout.SHOWN_Z)
    return _report(pair, found, shown, v, z, rate, 1.0)


def _report(
    pair: ContactPair, found: Evaluation, shown: Shown, v: Floats, z: Floats, z_rate: Floats,
    h: float,
) -> ContactReport:  # fmt: skip
    """Report with the elastic slip z (p, 3), its mean rate, and the slip work of a time h."""
    weights, traction = pair.surface.weights, shown.vector(layout.SHOWN_T)
    spring = (weights * shown.column(layout.SHOWN_SPRING))[:, None] * z
    lost = float(weights @ shown.column(layout.SHOWN_LOST))
    bristles = Bristling.of(weights[:, None] * traction, spring, lost)
    stored = float(weights @ shown.column(layout.SHOWN_STORED))
    return ContactReport(
        gap=shown.column(layout.SHOWN_GAP),
        pressure=shown.column(layout.SHOWN_P),
        normal=shown.vector(layout.SHOWN_N),
        traction=traction,
        slip=shown.vector(layout.SHOWN_U),
        position=found.origin + shown.vector(layout.SHOWN_Y),
        status=found.status,
        energy=stored + 0.5 * float(np.sum(spring * z)),
        damping_power=lost + float(np.sum(bristles.damper * z_rate)),
        point_slip_power=weights * shown.column(layout.SHOWN_WORK) / h,
        supplied_power=float(found.force @ v) - found.power,
        bristles=bristles,
    )
