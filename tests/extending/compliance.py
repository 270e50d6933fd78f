"""Analysis from outside of the package, with its plot: displacement over a load at rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fecontact as fc


@dataclass(frozen=True, eq=False)
class ComplianceCurve:
    """Displacements (k,) in m of one dof over load factors (k,)."""

    factors: fc.Floats
    displacements: fc.Floats
    dof: str

    @property
    def compliance(self) -> fc.Floats:
        """Slope (k,) of the displacement over the factor."""
        return np.gradient(self.displacements, self.factors)

    def plot(self, path: str | Path | None = None) -> Any:
        """Matplotlib figure; written as PNG or PDF if a path is given."""
        from fecontact.view.plots import saved

        curves = {self.dof: self.displacements}
        figure = fc.view.curves_plot(self.factors, curves, "load factor", "displacement / m")
        return saved(figure, path)


def compliance_curve(system: fc.System, dof: str, factors: fc.Floats) -> ComplianceCurve:
    """Static displacement of a dof over load factors that rise from 0.

    Parameters
    ----------
    system
        What is loaded.
    dof
        Its name, such as "block.uz".
    factors : (k,)
        Rising.
    """
    if np.any(np.diff(factors) <= 0.0):
        raise fc.InputError(f"invalid factors = {factors}: expected rising numbers")
    path = fc.load_path(fc.StaticSystem(system), factors)
    number = system.coordinates.index(dof)
    return ComplianceCurve(np.asarray(factors), path.x[-len(factors) :, number], dof)
