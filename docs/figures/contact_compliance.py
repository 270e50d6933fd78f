"""Figure: displacement of a contact surface under smooth pressure, reduced against full FE.

An annulus is reduced once with the default method (modes and residual attachment modes) and once
to the same number of plain vibration modes. Ten random pressure fields (harmonics k <= 4 times
polynomials of degree <= 2 in the radius) and one local patch act on its top. Three supports: free,
held at the inner edge, and bonded to a rigid carrier at the bottom.

    python docs/figures/contact_compliance.py [picture.png]
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import numpy as np

from fecontact.fem import STEEL
from fecontact.fem.model import FEModel
from fecontact.fem.solid import ElasticSolid
from fecontact.mesh import solid_annulus
from fecontact.reduction import HarmonicLoads, PatchLoads, ReducedModel, reduce_model
from fecontact.reduction.flexibility import Flexibility
from fecontact.reduction.loads import load_vectors
from fecontact.typing import Floats

SUPPORTS = {"free": {}, "inner edge held": {"inner": "xyz"}, "bottom bonded": {"bottom": "xyz"}}
PATCH = PatchLoads(((0.085, 0.0, 0.01),), radius=0.01)


def pressures(model: FEModel, count: int = 10) -> Floats:
    """Nodal forces (n, count + 1): random smooth pressures, then the normal load of the patch."""
    top = model.surface("top")
    fields = HarmonicLoads(harmonics=4, degree=2).tractions(top)
    normal = {name: t for name, t in fields.items() if name.startswith("normal")}
    amplitudes = np.random.default_rng(0).standard_normal((len(normal), count))
    local = load_vectors(top, PATCH.tractions(top))[:, :1]
    return np.hstack([load_vectors(top, normal) @ amplitudes, local])


def surface_errors(model: FEModel, reduced: ReducedModel, forces: Floats) -> Floats:
    """Relative mean-square error of the displacement of the top, for each load."""
    top = model.surface("top")
    full = top.shape @ Flexibility(model).static(forces)
    elastic = slice(reduced.rigid, None)
    answers = (reduced.basis[:, elastic].T @ forces) / reduced.frequencies[elastic, None] ** 2
    found = reduced.surface("top").shape[:, elastic] @ answers
    weights = np.repeat(top.weights, 3)
    error, size = (np.sqrt(weights @ u**2) for u in (found - full, full))
    return error / size


def main(picture: str = "docs/pictures/contact_compliance.png") -> None:
    """Compute the errors, print them and draw them."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.01, radial=4, circumferential=40, axial=2)
    figure, axes = plt.subplots(1, len(SUPPORTS), figsize=(10, 3.4), sharey=True)
    for axis, (title, supports) in zip(axes, SUPPORTS.items(), strict=True):
        body = ElasticSolid(mesh, STEEL, "hex2", supports)
        default = reduce_model(body, "top")
        modal = reduce_model(body, "top", method="free", modes=default.size - default.rigid)
        forces = pressures(body)
        for reduced, label, marker in ((modal, "vibration modes", "s"), (default, "default", "o")):
            errors = surface_errors(body, reduced, forces)
            print(f"{title:16} {label:16} {reduced.size:4} coordinates, smooth pressure "
                  f"{errors[:-1].max():.1e}, patch {errors[-1]:.1e}")  # fmt: skip
            (drawn,) = axis.semilogy(errors[:-1], marker, label=f"{label}, pressure")
            axis.axhline(errors[-1], color=drawn.get_color(), ls=":", label=f"{label}, patch")
        axis.axhline(0.01, color="0.5", lw=0.8)
        axis.set(title=f"{title}, {default.size} coordinates", xlabel="pressure field")
    axes[0].set_ylabel("relative error of the contact displacement")
    axes[-1].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=130)


if __name__ == "__main__":
    main(*sys.argv[1:])
