"""Verdicts: what carries load, up to which frequency bodies are valid, and in which band."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fecontact.analysis import (
    Branch,
    LinearModel,
    MapAxis,
    complex_modes,
    critical_value,
    disturbance,
    frequency_response,
    linearise,
    operating_point,
    pencil,
    regions,
    stability_map,
    steady_state,
    sweep,
    track_modes,
)
from fecontact.analysis.periodic.harmonic_balance import harmonic_balance
from fecontact.analysis.periodic.motion import SystemMotion
from fecontact.analysis.periodic.shooting import shoot
from fecontact.analysis.stability.scope import Scope
from fecontact.body import ElasticBody, RigidBody, SpinningDisc
from fecontact.case.registry import load_module
from fecontact.contact import (
    ContactModuli,
    ContactPair,
    CoulombSliding,
    EulerianPair,
    JKRContact,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    ring,
)
from fecontact.contact.evaluate.touching import lifted
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.joint.curve import Function
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.reference.structures.annular_plate import annular_plate_frequencies
from fecontact.system import System
from fecontact.system.validity.frequency import validity
from fecontact.view.stability import map_plot

coupling = load_module("classic/mode_coupling")


def without_load(p):
    system = coupling.build(p)
    forces = [item for item in system.items[len(system.bodies) :] if item.name != "force"]
    return System(system.bodies, [*forces, *system.constraints])


def free_frequencies(p):
    """Block on its two springs alone: the contact has no part."""
    K = p.exact.matrix - np.diag([0.0, p.contact_stiffness])
    return np.sqrt(np.linalg.eigvalsh(K) / p.mass) / (2.0 * np.pi)


@pytest.mark.filterwarnings("ignore:no contact carries load")
@pytest.mark.parametrize("friction", ["coulomb", "state"])
def test_a_contact_without_load_has_no_stiffness(friction):
    """At g = 0, N = 0: with the closed tangent this block flutters with 91 1/s at 225.5 Hz."""
    p = coupling.ModeCoupling()
    point = operating_point(without_load(p), friction=friction)
    z = point.modes.eigenvalues
    found = np.sort(z.imag[z.imag > 1.0]) / (2.0 * np.pi)
    np.testing.assert_allclose(found, free_frequencies(p), rtol=1e-9)
    assert point.modes.stable
    assert not [part for part in point.contributions if part.item == "contact" and part.by_q.any()]


@pytest.mark.filterwarnings("ignore:no contact carries load")
def test_the_pencil_sees_the_same():
    p = coupling.ModeCoupling()
    system = without_load(p)
    z = pencil(system, steady_state(system).state).eigenvalues().z
    found = np.sort(z.imag[z.imag > 1.0]) / (2.0 * np.pi)
    np.testing.assert_allclose(found, free_frequencies(p), rtol=1e-7)


def test_a_result_says_first_that_nothing_is_pressed():
    point = operating_point(without_load(coupling.ModeCoupling()))
    with pytest.warns(UserWarning, match="no contact carries load"):
        text = repr(point)
    assert text.startswith("2 modes: no contact carries load ('contact')")
    assert point.model.scope.loads == {"contact": 0.0}
    loaded = operating_point(coupling.build(coupling.ModeCoupling()))
    assert repr(loaded).startswith("2 modes: unstable, +91.1 1/s at 225.55 Hz")
    assert loaded.model.scope.loads["contact"] == pytest.approx(6.5574, rel=1e-4)


def test_all_that_is_linear_says_that_nothing_is_pressed():
    """Not the modes alone: responses, the pencil and a disturbance are those of free bodies too."""
    system = without_load(coupling.ModeCoupling())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = steady_state(system).state
    model = linearise(system, state)
    for ask in (
        lambda: frequency_response(model, np.array([10.0]), np.ones(system.size)),
        lambda: pencil(system, state),
        lambda: disturbance(system, state),
    ):
        with pytest.warns(UserWarning, match=r"no contact carries load \('contact'\)"):
            ask()


def test_sweeps_and_maps_refuse_points_without_load():
    def build(mu, load=0.0):
        p = coupling.ModeCoupling(friction=mu)
        return coupling.build(p) if load > 0.5 else without_load(p)

    study = sweep(build, [0.5, 0.9], "friction")
    assert "no contact carries load" in study.failures[0]
    assert np.isnan(study.growth).all()
    assert study.unstable == []
    plane = MapAxis("mu", 0.8, 0.9), MapAxis("load", 0.0, 1.0)
    result = stability_map(build, *plane, seed=(1, 1), levels=0)
    labels = result.labels()
    assert labels[:, 0].tolist() == ["failed", "failed"]
    assert labels[:, 1].tolist() == ["flutter", "flutter"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        allowed = sweep(build, [0.5, 0.9], "friction", unloaded=True)
    assert not allowed.failures
    whole = stability_map(build, *plane, seed=(1, 1), levels=0, unloaded=True)
    assert whole.labels()[:, 0].tolist() == ["stable", "stable"]


def pressed(second_gap, law):
    """A mass on two points of a running belt; the second has an initial gap."""
    mass, belt = RigidBody("mass", 2.0, ("uz",)), RigidBody("belt", 1.0, ("ux",))
    points = np.array([[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]])
    surface = Surface(points, np.ones(2), gap=np.array([0.0, second_gap]))
    drive = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(1.0), level="velocity", name="drive")
    contact = ContactPair(mass, surface, RigidFace(belt, Plane()), law, CoulombSliding(0.3))
    return System([mass, belt], [drive, Force(mass, (0.0, 0.0, -30.0)), contact])


@pytest.mark.parametrize(("gap", "springs"), [(2.9e-3, 2), (3e-3, 1), (3.1e-3, 1)])
def test_a_point_that_just_touches_is_open(gap, springs):
    """30 N press the first spring by 3 mm: a second one 3 mm above just touches."""
    system = pressed(gap, PenaltyNormal(1e4))
    modes = complex_modes(linearise(system, steady_state(system).state))
    assert 2 * np.pi * modes.frequency[-1] == pytest.approx(np.sqrt(springs * 1e4 / 2.0), rel=1e-9)


def test_a_point_that_adheres_is_not_open():
    """A JKR contact at the approach 0 carries tension, with a stiffness."""
    mass = RigidBody("mass", 2.0, ("uz",))
    law = JKRContact(ContactModuli(5e6, 0.49, np.inf), radius=0.01, surface_energy=0.05).law()
    foot = Surface(np.array([[0.1, 0.0, 0.0]]), np.ones(1))
    pair = ContactPair(mass, foot, RigidFace(None, Plane()), law, CoulombSliding(0.0))
    assert law.pressure(np.zeros(1), np.zeros(1))[0].item() < 0.0
    assert lifted(pair, np.zeros(1), np.zeros(1), 0.0) is pair
    plain = replace(pair, normal=PenaltyNormal(1e4))
    assert lifted(plain, np.zeros(1), np.zeros(1), 0.0) is not plain


def test_spinning_surfaces_are_lifted_as_a_whole():
    mass = RigidBody("mass", 2.0, ("uz",), spin=10.0)
    facing = ring(0.1, 6)
    law, friction = PenaltyNormal(1e4), CoulombSliding(0.3)
    contact = EulerianPair(mass, facing, RigidFace(None, Plane()), law, friction)
    system = System([mass], [Bearing(mass, 0.0, 50.0), contact])
    model = linearise(system, steady_state(system).state)
    assert model.stiffness[0, 0] == pytest.approx(50.0)
    assert model.scope.unloaded


def test_systems_without_contacts_are_judged():
    mass = RigidBody("mass", 1.0, ("ux",))
    point = operating_point(System([mass], [Bearing(mass, 100.0, 0.0, radial_damping=1.0)]))
    assert point.modes.stable
    assert not point.model.scope.unloaded


@dataclass(frozen=True, eq=False)
class Reduced(RigidBody):
    """A body that is valid up to a frequency."""

    limit: float = 100.0

    def validity(self, v):
        return self.limit


def two(mu=0.8, limit=100.0, damping=20.0):
    """Mode coupling at 225 Hz, and a damped mass at 8 Hz that is valid to a limit."""
    system = coupling.build(coupling.ModeCoupling(friction=mu, damping=damping))
    mass = Reduced("mass", 1.0, ("uy",), limit=limit)
    hold = Bearing(mass, 2500.0, 0.0, radial_damping=1.0, name="hold")
    forces = system.items[len(system.bodies) :]
    return System([*system.bodies, mass], [*forces, hold, *system.constraints])


FAR = pytest.mark.filterwarnings("ignore:modes grow outside")


def test_the_verdict_is_that_of_the_band():
    point = operating_point(two())
    with pytest.warns(UserWarning, match=r"grow outside the band from 0 to 100 Hz \('mass'"):
        modes = point.modes
    assert modes.stable
    assert modes.leading_frequency == pytest.approx(50.0 / (2 * np.pi), rel=1e-3)
    assert modes.leading_growth == pytest.approx(-0.5)
    (beyond,) = modes.beyond
    assert modes.frequency[beyond] == pytest.approx(225.5, abs=0.1)
    assert not modes.valid[beyond]
    assert "outside the band 1 mode grows, up to +8" in repr(modes)
    wide = modes.within((0.0, 1e4))
    assert not wide.stable
    assert wide.leading == beyond
    assert "beyond the validity" in wide.verdict
    assert point.balance().growth == pytest.approx(-0.5)


def test_rigid_bodies_have_no_bound():
    modes = operating_point(coupling.build(coupling.ModeCoupling())).modes
    assert modes.scope.limits == (0.0, np.inf)
    assert modes.valid.all()
    assert not modes.stable


@FAR
def test_sweep_boundary_tracks_and_map_share_the_band():
    whole = (0.0, 1e4)
    assert sweep(two, [0.5, 1.0], "friction").unstable == []
    study = sweep(two, [0.5, 1.0], "friction", band=whole)
    ((low, _),) = study.unstable
    alone = Branch(lambda mu: coupling.build(coupling.ModeCoupling(friction=mu, damping=20.0)))
    assert low == pytest.approx(critical_value(alone, 0.5, 1.0).value, rel=1e-7)
    assert low == pytest.approx(critical_value(Branch(two, band=whole), 0.5, 1.0).value, rel=1e-7)
    with pytest.raises(InputError, match="no boundary"):
        critical_value(Branch(two), 0.5, 1.0)
    assert list(sweep(two, [0.5, 1.0], "friction").beyond) == [1.0]
    assert track_modes(Branch(two), [0.5, 0.6]).eigenvalues.shape == (2, 1)
    assert track_modes(Branch(two, band=whole), [0.5, 0.6]).eigenvalues.shape[1] == 3
    axes = MapAxis("mu", 0.5, 1.0), MapAxis("limit", 100.0, 150.0)
    narrow = stability_map(two, *axes, seed=(2, 1), levels=0)
    wide = stability_map(two, *axes, seed=(2, 1), levels=0, band=whole)
    assert set(np.unique(narrow.labels())) == {"stable"}
    assert narrow.valid_to == 100.0
    growth, frequency = narrow.beyond[1.0, 100.0]
    assert (growth, frequency) == (wide.points[2, 0].growth, wide.points[2, 0].frequency)
    title = map_plot(narrow).axes[0].get_title()  # a map all white is not the whole truth
    assert title == narrow.growing_beyond
    assert f"up to {growth:+.4g} 1/s at {frequency:.5g} Hz" in title
    assert narrow.plot().axes[0].get_title() == title
    assert wide.plot().axes[0].get_title() == ""
    growths, frequencies = study.plot("mu").axes
    assert set(study.growth) <= set(growths.lines[0].get_ydata())  # and zero at the boundary
    assert frequencies.get_xlabel() == "mu"
    (region,) = regions(wide, two)
    assert not region.valid
    assert region.mechanism == "mode coupling (contact)"


@FAR
def test_the_disturbance_is_in_the_band():
    system = two()
    steady = steady_state(system).state
    assert disturbance(system, steady).frequency == pytest.approx(8.0, abs=0.1)
    assert disturbance(system, steady, band=(0.0, 1e4)).frequency == pytest.approx(225.5, abs=0.1)


def test_no_verdict_without_a_mode_in_the_band():
    modes = operating_point(coupling.build(coupling.ModeCoupling()), band=(1e3, 2e3)).modes
    for name in ("stable", "leading", "leading_growth", "verdict"):
        with pytest.raises(InputError, match="no mode lies in the band from 1000 to 2000 Hz"):
            getattr(modes, name)
    study = sweep(two, [0.5], "friction", band=(1e3, 2e3))
    assert "no mode lies in the band" in study.failures[0]


@FAR
def test_no_verdict_on_a_body_that_is_valid_nowhere():
    modes = operating_point(two(limit=0.0)).modes
    assert "'mass' is valid at no frequency" in repr(modes)
    with pytest.raises(InputError, match="valid at no frequency"):
        modes.stable  # noqa: B018
    assert not modes.within((0.0, 1e4)).stable


@pytest.mark.parametrize("band", [(5.0, 1.0), (-1.0, 2.0), 3.0, (1.0, 2.0, 3.0), (np.nan, 1.0)])
def test_impossible_bands(band):
    with pytest.raises(InputError, match=r"band =.* expected two frequencies in Hz"):
        Scope().within(band)


def test_a_slow_mode_that_grows_is_not_hidden_by_round_off():
    """Growth 1e-8 of |z| of a slow mode, and more, by round-off, of a fast undamped one."""
    K, D = np.diag([1.0, 1e16]), np.diag([-2e-8, -2e-3])
    modes = complex_modes(LinearModel.of(np.eye(2), D, K, {"m": slice(None)}))
    assert modes.growth[1] > modes.growth[0] > 0.0
    assert modes.grows.tolist() == [True, False]
    assert modes.leading == 0
    assert not modes.stable


def test_a_disturbance_is_not_along_round_off():
    """As the verdict: a slow mode that grows, 1e-6 of |z|, before round-off of a fast one."""
    slow, fast = RigidBody("slow", 1.0, ("ux",)), RigidBody("fast", 1.0, ("ux",))
    bearings = Bearing(slow, 1.0, 0.0, name="soft"), Bearing(fast, 1e16, 0.0, name="stiff")
    system = System([slow, fast], bearings)
    state = system.rest()
    growing = np.diag([-2e-6, -2e-3])
    with pytest.MonkeyPatch.context() as patch:
        plain = type(system).tangents
        patch.setattr(
            System, "tangents", lambda self, at: (plain(self, at)[0], plain(self, at)[1] - growing)
        )
        modes, found = complex_modes(linearise(system, state)), disturbance(system, state)
    assert modes.growth[1] > modes.growth[0] > 0.0
    assert found.value == pytest.approx(modes.eigenvalues[modes.leading])
    assert found.frequency == pytest.approx(1.0 / (2.0 * np.pi))


def driven_bar(limit):
    """Clamped bar of three modes under a force at its tip, at a share of its validity."""
    solid = ElasticSolid(
        block(0.1, 0.02, 0.01, cells=(4, 1, 1)), STEEL, supports={"x_min": "clamped"}
    )
    model = reduce_model(solid, contact="x_max", modes=3)
    body = ElasticBody("bar", model, frame="fixed", damping=0.01)
    omega = limit * model.validity_frequency()
    swing = Function(
        lambda t: float(np.cos(omega * t)), lambda t: float(-omega * np.sin(omega * t))
    )
    tip = Force(body, (0.0, 0.0, 1.0), "x_max", factor=swing)
    return SystemMotion(System([body], [tip])), omega


@pytest.mark.parametrize("share", [0.5, 1.2])
def test_periodic_motions_beyond_the_validity_are_said(share):
    """By harmonic balance and by shooting; the response itself is the same linear one."""
    motion, omega = driven_bar(share)
    n = motion.sizes[0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        series = harmonic_balance(motion, np.zeros((1, n)), omega, 1)
        orbit = shoot(motion, series.start, 2.0 * np.pi / omega, 40)
    said = [str(w.message) for w in caught if "beyond the validity of 'bar'" in str(w.message)]
    assert len(said) == (2 if share > 1.0 else 0)
    for found in (series, orbit):
        assert bool(found.beyond) == (share > 1.0)
    assert ("beyond the validity" in repr(series)) == (share > 1.0)


def test_validity_of_an_elastic_body_reaches_its_modes():
    solid = ElasticSolid(
        block(0.1, 0.02, 0.01, cells=(4, 1, 1)), STEEL, supports={"x_min": "clamped"}
    )
    model = reduce_model(solid, contact="x_max", modes=3)
    body = ElasticBody("bar", model, frame="fixed", damping=0.01)
    system = System([body], [])
    limit = model.validity_frequency() / (2 * np.pi)
    assert validity(system, system.rest().v) == {"bar": limit}
    modes = complex_modes(linearise(system, system.rest()))
    assert modes.scope.valid_to == limit
    assert modes.valid.tolist() == (modes.frequency <= limit).tolist()
    assert 0 < np.count_nonzero(modes.valid) < len(modes.valid)
    load, model_ = np.ones(system.size), linearise(system, system.rest())
    with pytest.warns(UserWarning, match="beyond the validity"):
        frequency_response(model_, np.array([1.1 * limit]), load)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frequency_response(model_, np.array([0.9 * limit]), load)


@pytest.fixture(scope="module")
def pad():
    """Elastic pad, held at its top, with its lower face for contact."""
    mesh = block(0.06, 0.02, 0.01, cells=(6, 2, 2))
    solid = ElasticSolid(mesh, STEEL, supports={"z_max": "clamped"})
    return reduce_model(solid, contact="z_min", modes=6)


def on_belt(model, mu, load):
    """Pad with a stiff penalty on a belt of 0.5 kg that is pressed against it."""
    body = ElasticBody("pad", model, frame="fixed", damping=1e-3)
    belt = RigidBody("belt", 0.5, ("ux", "uz"))
    law = PenaltyNormal(1e13, 1e5)
    face = elastic_surface(body, "z_min")
    contact = ContactPair(body, face, RigidFace(belt, Plane()), law, CoulombSliding(mu))
    items = [
        PrescribedMotion(DofCoordinate(belt, "ux"), Speed(1.0), level="velocity", name="drive"),
        Bearing(belt, 0.0, 1e4, axial_damping=5.0),
        contact,
    ]
    press = [Force(belt, (0.0, 0.0, load))] if load else []
    return System([body, belt], [*items, *press])


@FAR
def test_modes_of_the_penalty_do_not_decide(pad):
    """They grow at 217 kHz and more; the pad is valid to 22 kHz."""
    limit = pad.validity_frequency() / (2 * np.pi)
    point = operating_point(on_belt(pad, 0.5, 200.0))
    modes = point.modes
    assert modes.stable
    assert modes.leading_frequency < limit < 3e4
    assert len(modes.beyond)
    assert modes.frequency[modes.beyond].min() > 1e5
    assert point.model.scope.loads["contact"] == pytest.approx(200.0, rel=1e-4)
    assert sweep(lambda mu: on_belt(pad, mu, 200.0), [0.1, 0.5], "mu").unstable == []


@pytest.mark.filterwarnings("ignore:no contact carries load")
def test_an_elastic_pad_without_load_does_not_feel_the_belt(pad):
    """The belt swings on its own bearing: sqrt(c/m), d/(2 m)."""
    modes = operating_point(on_belt(pad, 0.5, 0.0)).modes
    omega = np.sqrt(1e4 / 0.5 - 5.0**2)
    assert modes.eigenvalues[modes.leading] == pytest.approx(-5.0 + 1j * omega, rel=1e-9)
    assert modes.stable
    assert not len(modes.beyond)


def test_validity_of_a_plate_ends_at_its_first_wave_that_is_missed(fe, ritz):
    """Four nodal diameters are kept: the first with five is missed (Bessel determinant)."""
    numbers = (0.08, 0.12, 0.005, STEEL.young, STEEL.poisson, STEEL.density)
    exact = annular_plate_frequencies(*numbers, 5)[0]
    for model in (fe, ritz):
        assert model.valid_to() == pytest.approx(exact, rel=1e-4)
        spinning = SpinningDisc("plate", model, -390.0)
        lost = 5 * 390.0 / (2 * np.pi)
        assert validity(System([spinning]), np.zeros(model.size))["plate"] == pytest.approx(
            exact - lost, rel=1e-4
        )
    assert fe.valid_to(1e5) == 0.0
    coarse = replace(fe, radial=tuple(part[:, 1:2] for part in fe.radial))  # second modes alone
    assert coarse.valid_to() == pytest.approx(annular_plate_frequencies(*numbers, 0)[0], rel=1e-4)
