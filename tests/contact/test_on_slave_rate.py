"""Pairs with bristles on the slave in continuous time as compiled functions: as in Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from called_rate import CalledRate
from slaves_on_masters import COMBINATIONS, FRICTION, NORMAL, H, T, made, pressed

import fecontact as fc
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.kernels.lowered import FORCE, LOST, RATES, SUPPLIED, TANGENTS

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)
LAWS = {
    "elasto-plastic": FRICTION,
    "static": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e5, 50.0),
    "LuGre": fc.lugre(0.3, 1e5, 50.0),
    "Dupont": fc.dupont(fc.Stribeck(0.2, 0.35, 0.05), 1e5, 50.0),
}
COMPARED = [
    *((slave, "plate", "static") for slave in ("pad", "elastic", "elastic prescribed", "modal")),
    *((slave, "plane", "elasto-plastic") for slave in ("pad", "elastic fixed", "modal")),
    *(("pad", master, "elasto-plastic") for master in ("cone", "torus", "spinning freely")),
    *(("elastic", master, "LuGre") for master in ("sphere", "plate")),
    ("pad", "plate", "Dupont"), ("pad", "cylinder", "static"),
]  # fmt: skip


def close(found, expected, what, least=0.0):
    size = np.abs(expected).max(initial=max(least, 1e-30))
    np.testing.assert_allclose(
        np.ravel(found), np.ravel(expected), rtol=0.0, atol=1e-12 * size, err_msg=what
    )


@pytest.mark.parametrize(("slave", "master", "law"), COMPARED)
@pytest.mark.parametrize("kind", [fc.EulerianPair, fc.ContactPair])
def test_rates_and_derivatives(kind, slave, master, law):
    """Of forces, internal variables and friction limit; powers, slip and status."""
    pair, (_, q, _, v), old = pressed(slave, master)
    pair = kind(pair.slave, pair.surface, pair.master, NORMAL, LAWS[law])
    history = replace(old, z=old.z[:, : pair.columns])
    expected = ContactRate.of(pair, T + H, q, v, history.z, history.status)
    assert expected.force.any()
    called = CalledRate(pair)
    called.ask(FORCE, T + H, q, v, history)
    close(called.force, expected.force, "force")
    close(called.part("rate"), expected.z_rate, "rates")
    close(called.part("slip_rates"), expected.slip_rates, "slip rates")
    found = called.parts["new_status"].view(np.int64)
    np.testing.assert_array_equal(found, expected.resulting_status)
    lost, supplied = expected.powers
    terms = np.abs(called.force) @ np.abs(v) + abs(supplied)
    assert called.w[LOST] == pytest.approx(lost, abs=1e-12 * terms)
    assert called.w[SUPPLIED] == pytest.approx(supplied, abs=1e-12 * terms)
    by = expected.tangents()
    for task in (RATES, TANGENTS):
        called.ask(task, T + H, q, v, history)
        close(called.force, expected.force, "force")
        close(called.part("rate"), expected.z_rate, "rates")
        close(called.part("force_by_z"), by.force_by_z, "force by z")
        close(called.part("rate_by_q"), by.z_rate_by_q, "rates by q")
        close(called.part("rate_by_v"), by.z_rate_by_v, "rates by v")
        close(called.part("rate_by_z"), by.z_rate_by_z, "rates by z")
    close(called.tangents[0], by.force_by_q, "force by q")
    close(called.tangents[1], by.force_by_v, "force by v")


def test_rings_couple_their_points():
    """Where material passes along rings, and on facets, the pair stays in Python."""
    for slave, master in COMBINATIONS:
        found = made(fc.EulerianPair, slave, master).lowered_rate()
        passes = slave.endswith(("rotor", "disc", "hub"))
        assert (found is None) == (passes or master.endswith("facets")), (slave, master)
