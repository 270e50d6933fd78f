"""Names of 0.1 at the top level and of cases that changed: the old ones work, with a warning."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import fecontact as fc
from fecontact.case.case import Run
from fecontact.errors import renamed_keywords

TOP = {
    "ElasticPair": "ContactModuli",
    "FREEDOMS": "DOFS",
    "Freedom": "DofCoordinate",
    "StepStart": "ContactStart",
    "Trajectory": "Result",
    "turning": "rotation_generators",
}


def told(text, old, new):
    """The old way warns once, in these words, and gives what the new one gives."""
    with pytest.warns(DeprecationWarning, match=re.escape(text)) as said:
        found = old()
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = new()
    np.testing.assert_equal(found, expected)


@pytest.mark.parametrize(("old", "new"), TOP.items())
def test_names_of_the_top_level(old, new):
    told(f"fc.{old} is now fc.{new}", lambda: getattr(fc, old), lambda: getattr(fc, new))


class Parabola:
    """u^2 = p."""

    def evaluate(self, u, p):
        return u**2 - p, np.diag(2.0 * u)

    def by_parameter(self, u, p, residual):
        return -np.ones(1)


def audited(**limit):
    """Limit of the row that `run.audit` adds."""
    rows = []
    energies = {"kinetic": np.array([1.0, 1.0])}
    run = SimpleNamespace(check=lambda *given, **_: rows.append(given[2]))
    motion = SimpleNamespace(energies=energies)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fecontact.results.audit.unaccounted", lambda _: 0.0)
        Run.audit(run, motion, **limit)
    return rows


BLOCK = fc.RigidBody("block", 2.0, ("uz",))
FALLING = fc.System([BLOCK], [fc.Gravity([BLOCK])])
FALL = fc.simulate(FALLING, 0.1, output=0.05)
MASS, NONE = np.eye(2), np.zeros((2, 2))
STATE = fc.State(0.0, np.zeros(1), np.zeros(1))
MESH = fc.block(0.1, 0.1, 0.1, (1, 1, 1))


def linear(**mass):
    return fc.LinearModel(MASS, NONE, NONE, MASS, NONE, {"a": slice(0, 2)}, **mass)


def tracks(**given):
    return fc.Tracks(np.zeros(1), np.zeros((1, 1), dtype=complex), valid_to=np.ones(1), **given)


def balanced(**given):
    return fc.PowerBalance(1.0j, kinetic=1.0, potential=1.0, **given)


def balance(**given):
    return fc.HarmonicBalance(lambda _: None, fc.Harmonics(1, 8), None, **given)


KEYWORDS = {
    "RigidBody freedoms dofs": lambda **dofs: fc.RigidBody("a", 1.0, **dofs).dofs,
    "from_mesh freedoms dofs": lambda **dofs: fc.RigidBody.from_mesh("a", MESH, 1.0, **dofs).dofs,
    "State mode status": lambda **given: fc.State(0.0, np.zeros(1), np.zeros(1), **given).status,
    "State wear slip_totals": lambda **given: replace(STATE, **given).slip_totals,
    "LinearModel freedom_mass dof_mass": lambda **given: linear(**given).dof_mass,
    "simulate most_steps max_steps": lambda **steps: fc.simulate(FALLING, 0.1, **steps).q,
    "simulate lane backend": lambda **how: fc.simulate(FALLING, 0.1, method="explicit", **how).q,
    "PathOptions most max_points": lambda **most: fc.PathOptions(0.0, 1.0, **most).max_points,
    "solve_at most max_iterations": lambda **most: fc.solve_at(
        Parabola(), np.array([1.5]), 2.0, **most
    ),
    "regularise share fraction": lambda **part: fc.regularise(10.0, 1.0, **part).stiffness,
    "audit most limit": audited,
    "state number index": lambda **index: FALL.state(**index).q,
    "point number index": lambda **index: FALL.point(**index).state.q,
    "Towards places positions": lambda **given: fc.Towards(**given).positions,
    "HarmonicBalance softness stiffness_factor": lambda **given: balance(**given).stiffness_factor,
    "Tracks numbers indices": lambda **given: tracks(**given).indices,
    "PowerBalance shares terms": lambda **given: balanced(**given).terms,
    "Exchanged number index": lambda **index: fc.Exchanged(Parabola(), **index).index,
}
VALUES = {
    "freedoms": ("ux", "uz"), "mode": np.array([2]), "wear": np.ones(2), "freedom_mass": 3.0 * MASS,
    "most_steps": 500, "most": 60, "share": 0.01, "number": 1,
    "numbers": np.zeros((1, 1), dtype=int), "shares": (),
    "lane": "general", "places": (0.1, 0.2), "softness": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("names", KEYWORDS)
def test_keywords(names):
    owner, old, new = names.split()
    value, make = VALUES[old], KEYWORDS[names]
    told(
        f"{owner}({old}=...) is now {owner}({new}=...)",
        lambda: make(**{old: value}),
        lambda: make(**{new: value}),
    )


def plate():
    return fc.KirchhoffPlate(fc.annulus(0.05, 0.1, 1, 8), 0.005, fc.STEEL)


def pair():
    facing, face = fc.ring(0.1, 8), fc.RigidFace(None, fc.Plane())
    law = fc.ElastoPlastic(0.3, 1e6, 10.0)
    return fc.EulerianPair(BLOCK, facing, face, fc.PenaltyNormal(1e6), law)


ATTRIBUTES = {
    "RigidBody.freedoms dofs": (BLOCK, lambda dofs: dofs),
    "System.place dof_indices": (FALLING, lambda ask: ask("block")),
    "System.numbers item_indices": (FALLING, lambda indices: indices),
    "LinearModel.freedom_mass dof_mass": (linear(dof_mass=MASS), lambda mass: mass),
    "LinearModel.freedoms dofs": (linear(basis=MASS), lambda ask: ask(np.ones(2))),
    "KirchhoffPlate.rigid_motions rigid_body_modes": (plate(), lambda ask: ask()),
    "Tracks.numbers indices": (tracks(indices=np.zeros((1, 1), dtype=int)), lambda found: found),
    "PowerBalance.shares terms": (balanced(terms=()), lambda found: found),
    "SystemMotion.number index": (fc.SystemMotion(FALLING), lambda ask: ask("block.uz")),
    "Exchanged.number index": (fc.Exchanged(Parabola(), 0), lambda index: index),
    "EulerianPair.places positions": (pair(), lambda places: places),
    "EulerianPair.passing transports_material": (pair(), lambda passes: passes),
    "EulerianPair.timed in_prescribed_frame": (pair(), lambda moves: moves),
    "ElastoPlastic.stuck no_slip": (fc.ElastoPlastic(0.3, 1e6), lambda ask: type(ask())),
    "ElastoPlastic.flow rate": (fc.ElastoPlastic(0.3, 1e6), lambda ask: ask.__name__),
    "ElastoPlastic.d_flow d_rate": (fc.ElastoPlastic(0.3, 1e6), lambda ask: ask.__name__),
}


@pytest.mark.parametrize("names", ATTRIBUTES)
def test_attributes(names):
    old, new = names.split()
    owner, seen = ATTRIBUTES[names]
    told(
        f"{old} is now {new}",
        lambda: seen(getattr(owner, old.split(".")[1])),
        lambda: seen(getattr(owner, new)),
    )


def test_keywords_keep_the_signature():
    """Help and editors show the names of now."""

    @renamed_keywords(old="new")
    def double(new: int = 1) -> int:
        return 2 * new

    assert double.__name__ == "double"
    assert double(4) == 8
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        double(other=1)
