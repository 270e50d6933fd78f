"""Sliding pairs of discs and on plates as compiled functions: equal to their form in Python."""

from __future__ import annotations

import numpy as np
import pytest
from slaves_on_masters import NORMAL, SLAVES, pressed

import fecontact as fc
from fecontact.kernels.calls import call_block
from fecontact.kernels.lowered import FORCE, RECORD, TANGENTS, TIME, record_size

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)
T = 0.052
LAWS = {"Coulomb": fc.CoulombSliding(0.3), "smooth": fc.RegularisedCoulomb(0.3, 0.1)}
COMPARED = [
    *((slave, "plate", law) for slave in SLAVES for law in LAWS),
    *((slave, "cone", "smooth") for slave in SLAVES if "disc" in slave),
    ("free disc", "spinning freely", "Coulomb"), ("disc on a hub", "moving", "Coulomb"),
]  # fmt: skip


def asked(pair, q, v, task):
    """Force and tangents by the compiled function."""
    low, n_q, n = pair.lowered(), len(q), len(v)
    w = np.full(record_size(n_q, n) + low.memory, 7e77)  # whatever was there must not matter
    w[TIME], w[RECORD : RECORD + n_q], w[RECORD + n_q : RECORD + n_q + n] = T, q, v
    assert call_block(low.address, w, low.parameters, float(task)) == 0.0
    at = RECORD + n_q + n
    return w[at : at + n], *w[at + n : at + n + 2 * n * n].reshape(2, n, n)


@pytest.mark.parametrize(("slave", "master", "law"), COMPARED)
def test_equal_to_the_form_in_python(slave, master, law):
    """Force and both tangents to 1e-12 of the largest; some points are open."""
    pair, (_, q, _, v), _ = pressed(slave, master)
    pair = fc.ContactPair(pair.slave, pair.surface, pair.master, NORMAL, LAWS[law])
    now = pair.sliding(q, v, T)
    assert 0 < np.count_nonzero(now.pressure[0]) < pair.points
    expected = pair.force(T, q, v), *pair.tangents(T, q, v)
    for found, plain, what in zip(
        asked(pair, q, v, TANGENTS), expected, ("force", "by q", "by v"), strict=True
    ):
        size = np.abs(plain).max()
        np.testing.assert_allclose(found, plain, rtol=0.0, atol=1e-12 * size, err_msg=what)
    force = asked(pair, q, v, FORCE)[0]
    np.testing.assert_allclose(force, expected[0], rtol=0.0, atol=1e-12 * np.abs(force).max())


def test_history_laws_slide_too():
    """A pair with a history has the form of sliding as well: of steady states."""
    pair, (_, q, _, v), _ = pressed("rotor", "plate")
    expected = pair.force(T, q, v)
    np.testing.assert_allclose(
        asked(pair, q, v, FORCE)[0], expected, rtol=0.0, atol=1e-12 * np.abs(expected).max()
    )
