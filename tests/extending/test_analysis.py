"""An analysis from outside of the package and its plot, against a closed form."""

from __future__ import annotations

import numpy as np
import pytest
from compliance import compliance_curve

import fecontact as fc

LAYER, SPRING, FORCE = 1e9, 2e5, 100.0


def pressed():
    """A block on a layer p = c d^2 and a spring: c d^2 + k d = F."""
    block = fc.RigidBody("block", 1.0, ("ux", "uz"))
    foot = fc.ContactPair(
        block, fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane()),
        fc.PowerNormal(LAYER, 2.0), fc.ElastoPlastic(0.3, 1e6),
    )  # fmt: skip
    spring = fc.Bearing(block, SPRING, SPRING)
    return fc.System(
        [block], [fc.Force(block, (0.0, 0.0, -FORCE), factor=fc.ramp(1.0)), foot, spring]
    )


def test_closed_form():
    factors = np.linspace(0.1, 1.0, 10)
    curve = compliance_curve(pressed(), "block.uz", factors)
    exact = (np.sqrt(SPRING**2 + 4.0 * LAYER * factors * FORCE) - SPRING) / (2.0 * LAYER)
    np.testing.assert_allclose(-curve.displacements, exact, rtol=1e-8)
    assert np.all(np.diff(-curve.compliance) < 0.0)


def test_wrong_factors():
    with pytest.raises(fc.InputError, match="expected rising numbers"):
        compliance_curve(pressed(), "block.uz", np.array([1.0, 0.5]))


def test_plot(tmp_path):
    curve = compliance_curve(pressed(), "block.uz", np.linspace(0.1, 1.0, 5))
    figure = curve.plot(tmp_path / "curve.png")
    (line,) = figure.axes[0].lines
    np.testing.assert_array_equal(line.get_ydata(), curve.displacements)
    assert (tmp_path / "curve.png").stat().st_size > 1000
