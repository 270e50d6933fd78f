"""What a motion shows: signals with their strongest frequency, growth, energy, contacts, pictures.

The second half of a motion speaks for its signals: the first one may still settle.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from fecontact.analysis.stability.disturbance import Disturbance
from fecontact.errors import InputError
from fecontact.results.result import Result
from fecontact.typing import Floats
from fecontact.view.gallery import Request, plot_result
from fecontact.view.plots import save
from fecontact.view.signals import amplitude_spectrum

__all__ = ["report", "strongest"]

SHOWN = 12
"""Signals in the table."""
PLOTS = ("history", "spectrum", "energy", "states")
"""Pictures that are made unless others are asked for, where there is something to show."""
STATUSES = ("stick", "slip", "open")


def report(
    console: Console, motion: Result, mode: Disturbance | None, plots: Sequence[str], folder: Path
) -> list[str]:
    """Say what a motion shows, and draw it; returns the names of the pictures."""
    if len(motion) < 4:
        console.print(f"{len(motion)} records are too few to say more", highlight=False)
        return []
    console.print(_signals(motion))
    for line in (_growth(motion, mode), *_contacts(motion), _energy(motion), _told(motion)):
        if line:
            console.print(line, highlight=False, markup=False)
    return _pictures(console, motion, plots or _default(motion), folder)


def strongest(t: Floats, x: Floats) -> tuple[float, float]:
    """Frequency in Hz and amplitude of the largest peak of the amplitude spectrum.

    They are those of the vertex of the parabola through the logarithms of three lines.

    Examples
    --------
    >>> t = np.arange(400) / 1000.0
    >>> frequency, amplitude = strongest(t, 0.3 * np.sin(2 * np.pi * 101.3 * t))
    >>> round(frequency, 1), round(amplitude, 1)
    (101.3, 0.3)
    """
    frequency, amplitude = amplitude_spectrum(t, x)
    peak = 1 + int(np.argmax(amplitude[1:]))
    shift, height = 0.0, float(amplitude[peak])
    if 1 <= peak < len(amplitude) - 1 and amplitude[peak - 1 : peak + 2].min() > 0.0:
        a, b, c = np.log(amplitude[peak - 1 : peak + 2])
        shift = 0.5 * (a - c) / (a - 2.0 * b + c) if a - 2.0 * b + c < 0.0 else 0.0
        height = float(np.exp(b - 0.25 * (a - c) * shift))
    return float(frequency[peak] + shift * frequency[1]), height


def _signals(motion: Result) -> Table:
    """Table of the default signals in the second half of the motion."""
    part = motion.between(0.5 * (motion.t[0] + motion.t[-1]))
    title = f"signals from {part.t[0]:.5g} s to {part.t[-1]:.5g} s"
    table = Table("signal", "unit", "mean", "swing", "strongest / Hz", "its amplitude", title=title)
    for name in motion.default_signals[:SHOWN]:
        x = part.signal(name)
        try:
            peak = [f"{value:.5g}" for value in strongest(part.t, x)] if np.ptp(x) else ["", ""]
        except InputError:  # uneven times have no spectrum
            peak = ["", ""]
        numbers = (f"{np.mean(x):+.5g}", f"{0.5 * np.ptp(x):.4g}")
        table.add_row(name, motion.unit(name), *numbers, *peak)
    return table


def _growth(motion: Result, mode: Disturbance | None) -> str:
    """Growth and frequency of the leading mode in the motion beside those of small motions."""
    if mode is None:
        return ""
    seen = mode.measured(motion)
    found = f"{seen.real:+.4g} 1/s at {abs(seen.imag) / (2.0 * np.pi):.5g} Hz"
    small = f"{mode.growth:+.4g} 1/s at {mode.frequency:.5g} Hz"
    return f"leading mode over the whole motion: {found}; of small motions: {small}"


def _contacts(motion: Result) -> list[str]:
    """Least and largest number of points by status, of each contact."""
    lines = []
    for name, fields in motion.contacts.items():
        counts = {status: fields.count(status) for status in STATUSES}
        words = ", ".join(
            f"{c.min()} to {c.max()} {s}" if np.ptp(c) else f"{c[0]} {s}" for s, c in counts.items()
        )
        force = fields.normal_force
        lines.append(f"{name}: {words}; {force.min():.5g} to {force.max():.5g} N")
        if not fields.stateful:
            lines.append(
                f"{name}: friction of sliding points, which cannot stick: past the first stick "
                "take a law with history, such as ElastoPlastic"
            )
    return lines


def _energy(motion: Result) -> str:
    """Line of the energy audit."""
    left = motion.unaccounted
    if not np.isfinite(left):
        return f"method '{motion.method}' keeps no energy audit"
    return f"energy not accounted for: {left:.2g} of the exchanged"


def _told(motion: Result) -> str:
    """What the run had to say, in one line."""
    return motion.message


def _default(motion: Result) -> list[str]:
    """Pictures of what there is."""
    has = {
        "history": motion.default_signals,
        "spectrum": motion.default_signals,
        "energy": np.isfinite(motion.unaccounted),
        "states": motion.contacts,
    }
    return [name for name in PLOTS if has[name]]


def _pictures(console: Console, motion: Result, wanted: Sequence[str], folder: Path) -> list[str]:
    """Draw pictures; one that cannot be drawn is told. Several of one kind are numbered."""
    files: list[str] = []
    requests = [Request.of(text) for text in wanted]
    for index, request in enumerate(requests):
        same = sum(other.plot == request.plot for other in requests[:index])
        file = f"{request.plot}{same + 1 if same else ''}.png"
        try:
            save(plot_result(motion, request), folder / file)
        except InputError as error:
            console.print(f"{request.plot}: {error}", highlight=False, markup=False)
            continue
        files.append(file)
    return files
