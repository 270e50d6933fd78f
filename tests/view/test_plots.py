from __future__ import annotations

import numpy as np

from fecontact.analysis import sweep
from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    PenaltyNormal,
    Plane,
    RigidFace,
    Stribeck,
    Surface,
)
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.system import System
from fecontact.view.contact import wear_maps
from fecontact.view.plots import MARKERS, convergence_plot, curves_plot, named_dots, sweep_plot

FALLING = Stribeck(0.2, 0.5, 0.3)


def test_every_curve_is_drawn():
    """More curves than markers: none may be left out."""
    size = np.array([4.0, 2.0, 1.0])
    errors = {f"curve {i}": (i + 1.0) * size**2 for i in range(len(MARKERS) + 2)}
    (axes,) = convergence_plot(size, errors, order=2.0).axes
    assert {line.get_label() for line in axes.lines} == {*errors, "order 2"}


def test_wear_maps_show_work_per_area_and_path():
    points = np.array([[0.0, 0.0, 0.0], [1e-3, 0.0, 0.0], [0.0, 2e-3, 0.0]])
    wear = np.array([[0.0, 0.0], [2e-6, 3e-6], [4e-6, 5e-6]])
    maps = wear_maps(points, np.full(3, 1e-6), wear).axes[:2]
    work, path = (axes.collections[1].get_array() for axes in maps)
    np.testing.assert_allclose(work, [2.0, 4.0])
    np.testing.assert_allclose(path, [3.0, 5.0])


def test_coinciding_curves_have_different_lines():
    x = np.linspace(0.0, 1.0, 5)
    (axes,) = curves_plot(x, {"one": x, "two": x}, "x / m", "y / m").axes
    one, two = axes.lines
    assert one.get_linestyle() != two.get_linestyle()


def test_named_dots_put_each_name_at_one_place():
    rows = {"rod": {"flow": 1e-3, "events": 2e-3}, "masses": {"events": 1e-4, "moreau": 1e-2}}
    (axes,) = named_dots(rows, "error").axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["flow", "events", "moreau"]
    assert [line.get_xdata().tolist() for line in axes.lines] == [[0, 1], [1, 2]]
    assert axes.get_yscale() == "log"


def test_growth_between_few_values_is_zero_at_the_border():
    """A straight line between the values crosses zero elsewhere than the shaded interval ends."""

    def build(x):
        """Block on a belt under falling friction, damping x^2: it grows below x^2 = -N mu'."""
        block, belt = RigidBody("block", 2.0, ("ux", "uz")), RigidBody("belt", 1.0, ("ux",))
        drive = PrescribedMotion(
            DofCoordinate(belt, "ux"), Speed(0.5), level="velocity", name="drive"
        )
        foot = Surface(np.zeros((1, 3)), np.ones(1))
        laws = PenaltyNormal(1e6, 100.0), CoulombSliding(FALLING)
        contact = ContactPair(block, foot, RigidFace(belt, Plane()), *laws)
        spring = Bearing(block, 800.0, 0.0, radial_damping=x**2)
        return System([block, belt], [drive, spring, Force(block, (0, 0, -30.0)), contact])

    slope = FALLING.values(np.array([0.5]), np.ones(1), np.array([2]))[1][0]
    border = np.sqrt(-30.0 * slope)
    study = sweep(build, [1.0, 4.0], "x")
    line, dots, *_ = sweep_plot({"x": study}, "x").axes[0].lines
    np.testing.assert_allclose(line.get_xdata(), [1.0, border, 4.0], rtol=1e-8)
    np.testing.assert_allclose(line.get_ydata()[1], 0.0, atol=1e-12)
    assert abs(np.interp(border, study.values, study.growth)) > 0.1  # what was drawn there
    assert dots.get_xdata().tolist() == [1.0, 4.0]


def test_sweep_without_growth():
    """Rates of round-off are drawn as zero, and the panel of unstable modes says that none is."""

    def build(stiffness):
        """Two undamped masses on springs: all growth rates are zero."""
        mass, other = RigidBody("mass", 2.0, ("ux",)), RigidBody("other", 3.0, ("ux",))
        springs = [Bearing(mass, stiffness, 0.0, name="one"), Bearing(other, 5e3, 0.0, name="two")]
        return System([mass, other], springs)

    study = sweep(build, [1e3, 2e3, 3e3], "stiffness")
    assert np.abs(study.growth).max() < 1e-9
    growth, frequency = sweep_plot({"stiffness": study}, "stiffness").axes
    assert growth.get_ylim() == (-1.0, 1.0)
    assert [text.get_text() for text in frequency.texts] == ["no unstable mode"]
    assert frequency.get_legend() is None
