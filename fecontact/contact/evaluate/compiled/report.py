"""Reports of compiled contacts, from what their kernels show of each point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.evaluate.compiled.points import Evaluation
from fecontact.contact.kernels.shown import report_points
from fecontact.contact.report import Bristling, ContactReport
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["rate_report", "shown_report", "step_report"]


def step_report(pair: ContactPair, found: Evaluation, v: Floats, h: float) -> ContactReport:
    """What the points do at the end of a step h, with mean powers of the step."""
    return _report(pair, found, v, h)


def rate_report(pair: ContactPair, found: Evaluation, v: Floats) -> ContactReport:
    """What the points do in continuous time."""
    return _report(pair, found, v, 0.0)


def _report(pair: ContactPair, found: Evaluation, v: Floats, h: float) -> ContactReport:
    """Report of an evaluation that shows its points; of continuous time if h is 0."""
    weights = np.ascontiguousarray(pair.surface.weights, dtype=float)
    p = len(weights)
    numbers, vectors, bristles, sums = (
        np.empty(shape) for shape in ((3, p), (4, p, 3), (4, p, 3), 4)
    )
    axes = np.ascontiguousarray(found.rotation), np.ascontiguousarray(found.origin)
    report_points(found.shown, axes, weights, h, (numbers, vectors, bristles, sums))
    sums[3] = found.force @ v - found.power
    return shown_report(found.status, numbers, vectors, sums, bristles)


def shown_report(
    status: Integers, numbers: Floats, vectors: Floats, sums: Floats, bristles: Floats | None = None
) -> ContactReport:
    """Report from what `report_points` leaves; behind its sums the supplied power in W."""
    gap, pressure, power = numbers
    normal, traction, slip, position = vectors
    energy, lost, damping, supplied = sums.tolist()
    own = None
    if bristles is not None:
        friction, damper, bend, slide = bristles
        own = Bristling(friction, damper, bend, slide, lost)
    return ContactReport(
        gap, pressure, normal, traction, slip, position, status, energy, damping, power, supplied,
        own,
    )  # fmt: skip
