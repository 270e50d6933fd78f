"""Energy balance of a simulation: where the energy is, where it went, what is left over.

With the lines of the audit, in J since the start,

    kinetic + strain + potential + contact + slip + damping + numerical
        = their sum at the start + supplied + residual .
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from fecontact.errors import InputError
from fecontact.typing import Floats
from fecontact.view.style import COLOURS, legend_beside, new_figure, styled

__all__ = ["energy_plot", "energy_stack"]

STACKED = ("slip", "damping", "kinetic", "strain", "potential", "contact")
"""Parts from below to above; what is dissipated only grows, so it makes a calm base."""
LABELS = {
    "slip": "slip (dissipated)",
    "damping": "damping (dissipated)",
    "potential": "potential, from its lowest",
    "contact": "contact (stored)",
}
REST = {"numerical": "numerical dissipation", "residual": "residual"}


def energy_stack(energies: Mapping[str, Floats]) -> tuple[dict[str, Floats], Floats]:
    """Parts to be stacked, none of them negative, and the level that their sum should have.

    The potential is counted from its lowest value. The sum of the parts misses the level by the
    residual less the numerical dissipation.
    """
    known = {name: np.asarray(values, dtype=float) for name, values in energies.items()}
    if not known:
        raise InputError("the result has no energies: simulate with an energy audit")
    zero = np.zeros_like(next(iter(known.values())))
    parts = {name: known[name] for name in STACKED if name in known and known[name].any()}
    if "potential" in parts:
        parts["potential"] = parts["potential"] - parts["potential"].min()
    start = sum(float(values[0]) for values in parts.values())
    return parts, start + known.get("supplied", zero)


@styled
def energy_plot(t: Floats, energies: Mapping[str, Floats]) -> Figure:
    """Stacked lines of the audit, and below them the numerical dissipation and the residual."""
    parts, level = energy_stack(energies)
    figure = new_figure(8.0, 5.5)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    base = np.zeros_like(level)
    for (name, values), colour in zip(parts.items(), COLOURS, strict=False):
        top = base + values
        upper.fill_between(t, base, top, color=colour, alpha=0.35, linewidth=0.0)
        upper.plot(t, top, color=colour, linewidth=1.0, label=LABELS.get(name, name))
        base = top
    upper.plot(t, level, "k--", linewidth=1.2, label="at the start + supplied")
    for (name, label), colour in zip(REST.items(), (COLOURS[1], COLOURS[0]), strict=True):
        if name in energies:
            lower.plot(t, energies[name], color=colour, linewidth=1.0, label=label)
    upper.set(ylabel="energy / J", xlim=(t[0], t[-1]))
    lower.set(xlabel="time / s", ylabel="energy / J")
    legend_beside(upper, reverse=True)
    if lower.lines:
        legend_beside(lower)
    return figure
