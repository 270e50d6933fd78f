"""Plots of a result by name, as `fecontact view RESULT --plot NAME` asks for them.

A request is `name`, `name:signal,signal` or `map:contact@time`. Signals are the names of the
result, a point of a field ("facing.pressure[3]") and a component of a vector ("facing.force.x").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from fecontact.errors import FINITE, InputError, check, one_of, unknown
from fecontact.results.fields import ContactFields
from fecontact.results.result import Result
from fecontact.typing import Floats
from fecontact.view.contact import contact_map, contact_states, loops_plot
from fecontact.view.energy import energy_plot
from fecontact.view.motion import history_panels
from fecontact.view.plots import saved
from fecontact.view.signals import (
    phase_plane,
    spectrogram_plot,
    spectrum_of_signals,
    waterfall_plot,
)

__all__ = ["PLOTS", "Request", "draw", "plot_result", "signal", "unit_of"]

SEGMENTS = 12
"""Default number of segments of a spectrogram."""
LEAST = 8
"""Least number of times in a segment."""
SHOWN = 4
"""Dofs of a plot without names; of sensors all are shown."""
AT_REST = ("normal force", "pressure", "slip work")
"""Fields of contact points that are drawn of a system that does not move."""


@dataclass(frozen=True)
class Request:
    """What to draw: name of the plot, signals or contact, time in s or None for the last.

    Examples
    --------
    >>> Request.of("hysteresis:block.x,facing.force.x")
    Request(plot='hysteresis', signals=('block.x', 'facing.force.x'), time=None)
    >>> Request.of("map:facing@0.02")
    Request(plot='map', signals=('facing',), time=0.02)
    """

    plot: str
    signals: tuple[str, ...] = ()
    time: float | None = None

    @staticmethod
    def of(text: str) -> Request:
        """Read a request."""
        plot, _, rest = text.partition(":")
        check("plot", plot, one_of(PLOTS))
        names, _, moment = rest.partition("@")
        try:
            time = float(moment) if moment else None
        except ValueError:
            raise InputError(f"time '{moment}' of '{text}' is no number") from None
        return Request(plot, tuple(name for name in names.split(",") if name), time)


def plot_result(result: Result, request: Request) -> Figure:
    """Draw a plot of a result."""
    if len(result) < 2 and request.plot != "map":
        raise InputError(f"{result.run.label} has {len(result)} records: too few for a plot")
    return PLOTS[request.plot](result, request)


def draw(
    result: Result,
    plot: str,
    signals: Sequence[str] = (),
    time: float | None = None,
    path: str | Path | None = None,
) -> Figure:
    """Draw a plot of a result by its name, and write it if a path is given."""
    if time is not None:
        check("time", time, FINITE, "s")
    return saved(plot_result(result, Request(plot, tuple(signals), time)), path)


def signal(result: Result, name: str) -> Floats:
    """One number per time (k,) by name, with an index of a point or a component of a vector."""
    return result.signal(name)


def unit_of(result: Result, name: str) -> str:
    """Unit of a signal as it stands behind a slash."""
    unit = result.unit(name)
    return f"({unit})" if set(unit) & set("/ ") else unit


def _history(result: Result, request: Request) -> Figure:
    names = request.signals or _most(result)
    panels: dict[str, dict[str, tuple[Floats, Floats]]] = {}
    for name in names:
        label = f"{_kind(result, name)} / {unit_of(result, name)}"
        panels.setdefault(label, {})[name] = (result.t, signal(result, name))
    return history_panels(panels)


def _most(result: Result) -> tuple[str, ...]:
    """Signals of a history without names."""
    return result.default_signals[: None if result.sensors else SHOWN]


def _alike(result: Result) -> tuple[str, ...]:
    """Signals of a spectrum without names: the first, and sensors of the same unit."""
    first, *others = result.default_signals
    same = (name for name in others if name in result.sensors)
    return (first, *(name for name in same if result.unit(name) == result.unit(first)))


def _phase(result: Result, request: Request) -> Figure:
    names = request.signals or _dofs(result)[:1]
    for name in names:
        if name not in result.dofs:
            raise unknown("dof", name, _dofs(result))
    x = _common_unit(result, names)
    curves = {name: (signal(result, name), signal(result, f"{name}'")) for name in names}
    v = unit_of(result, f"{names[0]}'")
    return phase_plane(curves, f"position / {x}", f"velocity / {v}")


def _spectrum(result: Result, request: Request) -> Figure:
    names = request.signals or _alike(result)
    signals = {name: signal(result, name) for name in names}
    unit = _common_unit(result, names)
    return spectrum_of_signals(result.t, signals, unit, valid_to=result.valid_to)


def _over_time(draw: Callable[..., Figure]) -> Callable[[Result, Request], Figure]:
    def plot(result: Result, request: Request) -> Figure:
        (name,) = request.signals[:1] or result.default_signals[:1]
        count = max(len(result) // SEGMENTS, LEAST)
        segment = count * float(result.t[-1] - result.t[0]) / (len(result) - 1)
        x, unit = signal(result, name), unit_of(result, name)
        figure = draw(result.t, x, unit, segment=segment, valid_to=result.valid_to)
        figure.suptitle(name, fontsize=10.0)
        return figure

    return plot


def _hysteresis(result: Result, request: Request) -> Figure:
    if len(request.signals) != 2:
        raise InputError(
            "hysteresis needs a displacement and a force: --plot "
            "hysteresis:body.dof,contact.force.x"
        )
    x, force = request.signals
    curve = (signal(result, x), signal(result, force))
    labels = (f"{name} / {unit_of(result, name)}" for name in (x, force))
    return loops_plot([("", {f"{force} over {x}": curve}, {})], *labels)


def _energy(result: Result, request: Request) -> Figure:
    if all(np.isnan(line).all() for line in result.energies.values()):
        raise InputError(
            f"{result.run.label} has no energy audit: method '{result.method}' keeps none"
        )
    return energy_plot(result.t, result.energies)


def _states(result: Result, request: Request) -> Figure:
    names = request.signals or tuple(result.contacts)
    return contact_states(result.t, {name: _contact(result, name).status for name in names})


def _map(result: Result, request: Request) -> Figure:
    name = request.signals[0] if request.signals else next(iter(result.contacts), "")
    contact = _contact(result, name)
    row = len(result) - 1
    if request.time is not None:
        row = int(np.argmin(np.abs(result.t - request.time)))
    at_points = bool((contact.weights == 1.0).all())
    load = contact.field("pressure")[row] * (1.0 if at_points else 1e-6)
    fields = {
        "normal force / N" if at_points else "pressure / MPa": load,
        "slip speed / (m/s)": contact.slip_speed[row],
    }
    slip_totals = {
        "heat_flux": "slip power / W" if at_points else "slip power / (W/m²)",
        "slip_work": "slip work of a point / J",
    }
    known = {label: field for field, label in slip_totals.items() if field in contact.names}
    fields |= {label: contact.field(field)[row] for label, field in known.items()}
    if not result.v.any():  # statics has neither speed nor power
        fields = {label: own for label, own in fields.items() if label.startswith(AT_REST)}
    title = f"{name} at t = {result.t[row]:.6g} s"
    return contact_map(contact.field("position")[row], fields, contact.status[row], title)


def _contact(result: Result, name: str) -> ContactFields:
    if name not in result.contacts:
        raise unknown("contact", name, result.contacts)
    return result.contacts[name]


def _dofs(result: Result) -> tuple[str, ...]:
    """Dofs with a position."""
    return tuple(name for name in result.dofs if name in result.names)


def _kind(result: Result, name: str) -> str:
    """What a signal is called on an axis that it shares."""
    if name in result.sensors:
        return result.sensors[name]["what"].partition(" of ")[0]
    base = name.rstrip("'")
    if base in result.dofs:
        return ("position", "velocity", "acceleration")[len(name) - len(base)]
    return name if base.startswith("statistics.") else base.partition(".")[2]


def _common_unit(result: Result, names: Sequence[str]) -> str:
    """Unit of signals that share an axis."""
    unit = unit_of(result, names[0])
    for name in names:
        if unit_of(result, name) != unit:
            raise InputError(
                f"'{name}' in {unit_of(result, name)} and '{names[0]}' in {unit} cannot share an "
                "axis: draw them in two plots"
            )
    return unit


PLOTS: dict[str, Callable[[Result, Request], Figure]] = {
    "history": _history,
    "phase": _phase,
    "spectrum": _spectrum,
    "spectrogram": _over_time(spectrogram_plot),
    "waterfall": _over_time(waterfall_plot),
    "hysteresis": _hysteresis,
    "energy": _energy,
    "states": _states,
    "map": _map,
}
"""Name -> function that draws it."""
