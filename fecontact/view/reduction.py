"""Plots of how good a reduction is for the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fecontact.view.style import styled

if TYPE_CHECKING:
    from fecontact.analysis.stability.full.certificate import Certificate
    from fecontact.analysis.stability.full.study import ReductionStudy

__all__ = ["certificate_plot", "reduction_study_plot"]

LOOKS = (("certified", ".", "C0"), ("pair, its mean", "s", "C3"), ("not certifiable", "x", "0.5"))


@styled
def certificate_plot(certificate: Certificate) -> Figure:
    """Growth over frequency, full and reduced, and the error estimates below."""
    figure = Figure(figsize=(7.0, 6.0), layout="constrained")
    growth, error = figure.subplots(2, 1, sharex=True)
    frequency = certificate.z.imag / (2.0 * np.pi)
    for status, (label, marker, colour) in enumerate(LOOKS):
        own = certificate.status == status
        if not own.any():
            continue
        growth.plot(frequency[own], certificate.z.real[own], marker, color=colour, label=label)
        if status < 2:
            error.plot(frequency[own], certificate.estimate[own], marker, color=colour)
    corrected = certificate.corrected[certificate.status < 2]
    at = corrected.imag / (2.0 * np.pi)
    growth.plot(at, corrected.real, "+", color="C1", markersize=12, label="all unknowns")
    growth.axhline(0.0, color="black", linewidth=0.8)
    growth.set(ylabel="growth rate / (1/s)")
    growth.legend()
    if np.any(certificate.status < 2):
        error.set_yscale("log")
    error.set(xlabel="frequency / Hz", ylabel="estimate of |z - z_full| / (1/s)")
    return figure


@styled
def reduction_study_plot(study: ReductionStudy) -> Figure:
    """Errors of growth and frequency of the leading modes over the number of coordinates.

    The legend has the modes of the full model with the last number of contact points.
    """
    figure = Figure(figsize=(max(5.5, 3.0 * len(study.points)), 6.0), layout="constrained")
    panels: Any = figure.subplots(2, len(study.points), sharex=True, sharey="row", squeeze=False)
    figure.supxlabel("coordinates of the reduced system", fontsize=10.0)
    for column, points in enumerate(study.points):
        top, bottom = panels[:, column]
        for mode in range(study.full.shape[1]):
            z = study.full[column, mode]
            label = f"{z.imag / (2.0 * np.pi):.4g} Hz, {z.real:+.2g} 1/s"
            difference = study.reduced[column, :, mode] - z
            x = study.coordinates
            top.semilogy(x, np.abs(difference.real), ".-", label=label)
            bottom.semilogy(x, np.abs(difference.imag) / abs(z.imag), ".-")
        top.set(title=f"{points} contact points")
        bottom.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    lines = panels[0, -1].get_lines()
    figure.legend(handles=lines, loc="outside upper center", ncols=min(len(lines), 3))
    panels[0, 0].set(ylabel="error of the growth rate / (1/s)")
    panels[1, 0].set(ylabel="relative error of the frequency")
    return figure
