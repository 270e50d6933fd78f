"""Signals in time and frequency: phase plane, spectrum, spectrogram, waterfall.

The one-sided amplitude spectrum of a signal x with window w at N equal time steps is

    X_j = 2 |sum_n w_n (x_n - mean) exp(-2 pi i j n / N)| / sum_n w_n ,

so a harmonic of amplitude a on a line of the spectrum reads a, with any window.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.signal import get_window

from fecontact.errors import POSITIVE, InputError, check, one_of
from fecontact.typing import Floats
from fecontact.view.style import COLOURS, mark_validity, new_figure, place_legends, styled

__all__ = [
    "amplitude_spectrum",
    "phase_plane",
    "spectra_over_time",
    "spectrogram_plot",
    "spectrum_of_signals",
    "waterfall_plot",
]

WINDOWS = ("boxcar", "hann", "hamming", "blackman", "flattop")
EVEN = 1e-6
"""Allowed unevenness of the time steps, relative to a step."""
LEAST = 4
"""Least number of samples of a spectrum."""
SEGMENTS = 64
"""Most segments that are drawn over time."""
RANGE_DB = 80.0
"""Range of the colours of a spectrogram."""


def amplitude_spectrum(t: Floats, x: Floats, window: str = "hann") -> tuple[Floats, Floats]:
    """Frequencies in Hz and one-sided amplitudes of a signal, without its mean.

    Parameters
    ----------
    t, x : (k,)
        Equally spaced times in s, and values.
    window
        boxcar, hann, hamming, blackman or flattop (amplitudes right between the lines too).

    Examples
    --------
    >>> t = np.arange(100) / 100.0
    >>> frequency, amplitude = amplitude_spectrum(t, 7.0 + 3.0 * np.sin(2 * np.pi * 20.0 * t))
    >>> float(frequency[np.argmax(amplitude)]), round(float(amplitude.max()), 12)
    (20.0, 3.0)
    """
    check("window", window, one_of(WINDOWS))
    step = _even_step(t)
    w = get_window(window, len(x))
    lines = np.abs(np.fft.rfft(w * (x - np.mean(x)))) * 2.0 / w.sum()
    return np.arange(len(lines)) / (len(x) * step), lines


def spectra_over_time(
    t: Floats, x: Floats, segment: float, window: str = "hann"
) -> tuple[Floats, Floats, Floats]:
    """Amplitude spectra of overlapping segments of a signal.

    Parameters
    ----------
    t, x : (k,)
        Equally spaced times in s, and values.
    segment
        Length of a segment in s; the lines of the spectrum are 1/segment apart.
    window
        As in `amplitude_spectrum`.

    Returns
    -------
    times (s,), frequencies (f,) in Hz, amplitudes (s, f)
        At the middle of each of at most 64 segments, which overlap by half or more if there are
        fewer.
    """
    check("segment", segment, POSITIVE, "s")
    step = _even_step(t)
    length = round(segment / step)
    if not LEAST <= length <= len(t):
        raise InputError(
            f"invalid segment = {segment:g} s: expected at least {LEAST} of the "
            f"{len(t)} times, {LEAST * step:g} s, and at most all, {len(t) * step:g} s"
        )
    count = min(SEGMENTS, 1 + 4 * (len(t) - length) // length)
    starts = np.unique(np.linspace(0, len(t) - length, count).astype(int))
    parts = [amplitude_spectrum(t[i : i + length], x[i : i + length], window) for i in starts]
    return t[starts] + 0.5 * length * step, parts[0][0], np.array([part[1] for part in parts])


@styled
def phase_plane(
    curves: Mapping[str, tuple[Floats, Floats]], xlabel: str, ylabel: str, *, equal: bool = False
) -> Figure:
    """Velocity over position; the start is a ring, the end a dot. `equal`: both axes alike."""
    figure = new_figure(5.5, 4.5)
    axes = figure.subplots()
    for label, (x, v) in curves.items():
        (line,) = axes.plot(x, v, linewidth=1.0, label=label)
        colour = line.get_color()
        axes.plot(x[0], v[0], "o", color=colour, fillstyle="none")
        axes.plot(x[-1], v[-1], "o", color=colour, markersize=5)
    axes.plot([], [], "o", color="gray", fillstyle="none", label="start")
    axes.plot([], [], "o", color="gray", markersize=5, label="end")
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if equal:
        axes.set_aspect("equal", adjustable="datalim")
    place_legends(axes)
    return figure


@styled
def spectrum_of_signals(
    t: Floats,
    signals: Mapping[str, Floats],
    unit: str,
    *,
    window: str = "hann",
    highest: float | None = None,
    valid_to: float = np.inf,
) -> Figure:
    """Amplitude spectra over frequency, logarithmic, up to `highest` in Hz.

    Above `valid_to` in Hz, where elastic bodies are not valid, it is shaded.
    """
    figure = new_figure()
    axes = figure.subplots()
    top = 0.0
    for label, x in signals.items():
        frequency, amplitude = amplitude_spectrum(t, x, window)
        kept = frequency <= (highest or np.inf)
        top = max(top, float(amplitude[kept].max(initial=0.0)))
        axes.plot(frequency[kept], amplitude[kept], linewidth=1.0, label=label)
    if top > 0.0:  # a signal at rest has no logarithm
        axes.set_yscale("log")
        axes.set_ylim(max(top * 1e-8, axes.get_ylim()[0]), 3.0 * top)
    resolution = 1.0 / (len(t) * _even_step(t))
    mark_validity(axes, valid_to, min(highest or np.inf, 0.5 * len(t) * resolution))
    axes.set(xlabel="frequency / Hz", ylabel=f"amplitude / {unit}")
    axes.set_title(f"{window} window, resolution {resolution:.3g} Hz", loc="left")
    axes.grid(alpha=0.3)
    place_legends(axes)
    return figure


@styled
def spectrogram_plot(
    t: Floats,
    x: Floats,
    unit: str,
    *,
    segment: float,
    highest: float | None = None,
    valid_to: float = np.inf,
) -> Figure:
    """Amplitudes over time and frequency as colours, in dB of the largest.

    Above `valid_to` in Hz, where elastic bodies are not valid, it is shaded.
    """
    times, frequency, amplitude = _cut(*spectra_over_time(t, x, segment), highest)
    largest = float(amplitude.max(initial=0.0))
    level = 20.0 * np.log10(np.maximum(amplitude, 1e-300) / (largest or 1.0))
    figure = new_figure()
    axes = figure.subplots()
    if len(times) == 1:
        raise InputError(f"segment = {segment:g} s leaves one spectrum: take a shorter segment")
    colours = axes.pcolormesh(
        times, frequency, level.T, cmap="viridis", vmin=-RANGE_DB, vmax=0.0, shading="nearest"
    )
    figure.colorbar(colours, label=f"amplitude / dB of {largest:.3g} {unit}")
    mark_validity(axes, valid_to, float(frequency[-1]), vertical=True)
    axes.set(xlabel="time / s", ylabel="frequency / Hz")
    return figure


@styled
def waterfall_plot(
    t: Floats,
    x: Floats,
    unit: str,
    *,
    segment: float,
    highest: float | None = None,
    valid_to: float = np.inf,
) -> Figure:
    """Spectra of successive segments, one above the other; each hides what is behind it.

    Above `valid_to` in Hz, where elastic bodies are not valid, it is shaded.
    """
    times, frequency, amplitude = _cut(*spectra_over_time(t, x, segment), highest)
    shown = np.unique(np.linspace(0, len(times) - 1, min(len(times), 24)).astype(int))
    largest = float(amplitude.max(initial=0.0)) or 1.0
    pitch = (times[-1] - times[0]) / max(len(shown) - 1, 1) or 1.0
    height = 5.0 * pitch / largest
    figure = new_figure(7.0, 5.5)
    axes = figure.subplots()
    for index in shown[::-1]:
        base = times[index]
        line = base + height * amplitude[index]
        axes.fill_between(frequency, base, line, color="white", zorder=-base)
        axes.plot(frequency, line, color=COLOURS[0], linewidth=0.9, zorder=-base)
    mark_validity(axes, valid_to, float(frequency[-1]))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.set(xlabel="frequency / Hz", ylabel="time / s", xlim=(frequency[0], frequency[-1]))
    axes.set_title(f"amplitudes: the largest, {largest:.3g} {unit}, is 5 lines high", loc="left")
    return figure


def _cut(
    times: Floats, frequency: Floats, amplitude: Floats, highest: float | None
) -> tuple[Floats, Floats, Floats]:
    kept = frequency <= (highest or np.inf)
    return times, frequency[kept], amplitude[:, kept]


def _even_step(t: Floats) -> float:
    """Time step, which must be the same everywhere."""
    if len(t) < LEAST:
        raise InputError(f"{len(t)} times are too few for a spectrum: at least {LEAST}")
    steps = np.diff(t)
    step = float(t[-1] - t[0]) / (len(t) - 1)
    if step <= 0.0 or np.abs(steps - step).max() > EVEN * step:
        raise InputError(
            f"invalid time steps from {steps.min():g} to {steps.max():g} s in a spectrum: "
            "expected equal; choose an even output grid"
        )
    return step
