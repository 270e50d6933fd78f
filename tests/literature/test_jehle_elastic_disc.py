"""Jehle 7.1 (source notes T21): spectra, operating point, type I and II boundaries, ring friction.

The operating point is also computed by a twin that shares no code with the package: the residual
of the source notes' section 2.5.5 (first order in the slopes) with difference quotients.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.contact import ContactPair
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction import ritz_harmonic


def twin(F=5000.0, *, complete=False):
    """Eigenvalues (Im > 0) and axial displacement by the source notes' residual on the Ritz basis.

    The source drops two terms of the size of others that it keeps: the height (h/2)(1 - n_z) of
    the tilted face, and the axial part (h/2) grad w . grad W of its lever. `complete` adds them.
    """
    h, m1, c_r, Omega, d_i, points = 0.005, 0.5, 32e6, 390.0, 5e-4, 24
    ro, ri, R, mu, nu = 0.12, 0.08, 0.1, 0.3, 0.3
    D, Omega_1, c_a, c_n, d = 210e9 * h**3 / (12 * 0.91), 300.0, 3e6, 12e6, 10.0
    r0, r1 = ro * (ro - ri) ** 3 / 3 - (ro - ri) ** 4 / 4, np.log(ro / ri)
    r2, r3 = r1 + (ri - ro) / ri, r1 + (3 * ri - ro) * (ri - ro) / (2 * ri**2)
    k = np.repeat(np.arange(5), [1, 2, 2, 2, 2])
    sine = np.r_[False, np.tile([False, True], 4)]
    around = np.where(k == 0, 2 * np.pi, np.pi)
    s = r1 - 2 * r2 * k**2 + r3 * k**4 + (1 - nu) * k**2 * (ro**2 - ri**2) / ri**2
    M, K, C = 7800 * h * r0 * around, D * around * s, d_i * around * s
    Delta = np.zeros((9, 9))
    for i in range(1, 9, 2):
        Delta[i + 1, i], Delta[i, i + 1] = -k[i], k[i]
    theta = 2 * np.pi * np.arange(points) / points
    arm = R * np.column_stack([np.cos(theta), np.sin(theta), 0 * theta])

    def shapes(X):
        r, phi = np.hypot(*X.T), np.arctan2(X[:, 1], X[:, 0])
        cos, sin = np.cos(np.outer(phi, k)), np.sin(np.outer(phi, k))
        c, c_phi = np.where(sine, sin, cos), np.where(sine, k * cos, -k * sin)
        e_r = np.column_stack([np.cos(phi), np.sin(phi)])[:, :, None]
        e_p = np.column_stack([-np.sin(phi), np.cos(phi)])[:, :, None]
        over_r = ((ro - r) / r)[:, None]
        return (ro - r)[:, None] * c, -c[:, None] * e_r + (over_r * c_phi)[:, None] * e_p

    def force(q, v):
        u, a, du, da = q[:3], q[3:], v[:3], v[3:]
        x = u + arm
        X = x[:, :2] + h / 2 * (shapes(x[:, :2])[1] @ a)
        W, G = shapes(X)
        slope = G @ a
        n = np.column_stack([-slope, np.ones(points)])
        lift = h / 4 * (slope**2).sum(1) if complete else 0.0
        axial = W - h / 2 * np.einsum("pi,pim->pm", slope, G) if complete else W
        Phi = np.concatenate([-h / 2 * G, axial[:, None]], axis=1)
        spin = np.cross([0, 0, Omega_1], arm) - np.cross([0, 0, Omega], x)
        v_rel = du + spin - Phi @ (da + Omega * Delta @ a)
        N = -(c_n * (u[2] - W @ a + lift) + d * (n * v_rel).sum(1)) / points
        unit = n / np.linalg.norm(n, axis=1)[:, None]
        slip = v_rel - (v_rel * unit).sum(1)[:, None] * unit
        f = N[:, None] * (n - mu * slip / np.linalg.norm(slip, axis=1)[:, None])
        rigid = f.sum(0) - np.array([c_r, c_r, c_a]) * u - d * du - [0, 0, F]
        gyro = Omega * (M[:, None] * Delta - Delta.T * M)
        plate = -np.einsum("pim,pi->m", Phi, f) - K * a - C * da - gyro @ da
        return np.r_[rigid, plate + Omega**2 * Delta.T @ (M * (Delta @ a))]

    scale = np.r_[np.full(3, 1e-5), np.full(9, 1e-4)]
    guess = np.r_[0, 0, -5e-4, -0.01, np.zeros(8)] / scale
    q = scale * fsolve(lambda y: force(y * scale, np.zeros(12)), guess, xtol=1e-12)
    zero = np.zeros(12)
    A, B = np.zeros((2, 12, 12))
    for i, unit in enumerate(np.eye(12)):
        dq = unit * (1e-8 if i < 3 else 1e-7)
        A[:, i] = (force(q + dq, zero) - force(q - dq, zero)) / (2 * dq[i])
        B[:, i] = (force(q, 1e-4 * unit) - force(q, -1e-4 * unit)) / 2e-4
    mass = np.r_[np.full(3, m1), M][:, None]
    z = np.linalg.eigvals(np.block([[np.zeros((12, 12)), np.eye(12)], [A / mass, B / mass]]))
    return z[z.imag > 0], q[2]


@pytest.fixture(scope="module")
def analyse(elastic_disc):
    def analyse(model, **changes):
        p = replace(elastic_disc.ElasticDisc(), **changes)
        return elastic_disc.analyse(p, model)

    return analyse


def test_twin_gives_the_numbers_of_the_source_notes():
    z, uz = twin()
    lead = z[np.argmax(z.real)]
    assert lead.real == pytest.approx(13.77, abs=0.02)
    assert lead.imag / (2 * np.pi) == pytest.approx(1276.8, abs=0.1)
    assert uz == pytest.approx(-0.513e-3, abs=0.5e-6)


def test_complete_twin_and_package_differ_by_second_order(analyse, ritz):
    """With the two dropped terms the difference falls with the square of the load."""
    errors = []
    for load in (500.0, 5000.0):
        z, uz = twin(load, complete=True)
        steady, modes = analyse(ritz, load=load)
        lead = z[np.argmax(z.real)]
        errors.append(
            (
                abs(steady.state.q[2] / uz - 1.0),
                abs(modes.leading_frequency - lead.imag / (2 * np.pi)),
                abs(modes.leading_growth - lead.real),
            )
        )
    static, frequency, growth = np.log10(np.array(errors[1]) / errors[0])
    assert static == pytest.approx(2.0, abs=0.1)
    assert frequency > 1.7
    assert growth > 1.5
    assert errors[1][0] < 2e-4
    assert max(errors[1][1:]) < 0.05  # Hz and 1/s


def test_dropped_terms_are_of_first_order(analyse, ritz):
    """Without them the axial displacement differs in proportion to the load."""
    errors = []
    for load in (500.0, 5000.0):
        _, uz = twin(load)
        errors.append(abs(analyse(ritz, load=load)[0].state.q[2] / uz - 1.0))
    assert np.log10(errors[1] / errors[0]) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("thickness", "single", "pairs"),
    [
        (0.005, [430.9, 503.3, 503.3, 884.3], [(1152.0, 1279.3), (1981, 2236), (3031, 3413),
                                               (4303, 4813)]),
        (0.0018, [256.6, 503, 503, 1031.9], [(867.7, 994.9), (991.3, 1245.9), (1230.5, 1612.5),
                                            (1580.4, 2089.8)]),
    ],
)  # fmt: skip
def test_spectrum_of_figure_7_3(analyse, thickness, single, pairs):
    """Digest T21: m1 = 1 kg, c_1r = 1e7 N/m, Omega = 400 rad/s, no plate damping.

    The source notes' kinematics are of first order in the slopes. Under 5 kN the plate of 1.8 mm
    has slopes of 0.06: there second-order terms change the frequencies by up to 0.2 %.
    """
    plate = HarmonicPlate(0.08, 0.12, thickness, STEEL, {"outer": "simply_supported"})
    _, modes = analyse(
        ritz_harmonic(plate), thickness=thickness, clutch_mass=1.0, radial_stiffness=1e7,
        plate_speed=400.0, plate_damping=0.0,
    )  # fmt: skip
    found = modes.frequency[modes.frequency > 1.0]
    for value in [*single, *np.ravel(pairs)]:
        tolerance = 1.0 if thickness == 0.005 else 0.0025 * value
        assert np.abs(found - value).min() < tolerance, value
    for k, pair in enumerate(pairs, start=1):
        low, high = (found[np.argmin(np.abs(found - value))] for value in pair)
        assert high - low == pytest.approx(k * 400.0 / np.pi, rel=5e-3)


def test_thin_plate_of_figure_7_3_grows(analyse):
    plate = HarmonicPlate(0.08, 0.12, 0.0018, STEEL, {"outer": "simply_supported"})
    _, modes = analyse(
        ritz_harmonic(plate), thickness=0.0018, clutch_mass=1.0, radial_stiffness=1e7,
        plate_speed=400.0, plate_damping=0.0,
    )  # fmt: skip
    mode = np.argmin(np.abs(modes.frequency - 994.9))
    assert modes.growth[mode] == pytest.approx(3.95, abs=0.25)


@pytest.mark.parametrize(("low", "high"), [(30.5e6, 32e6), (32e6, 34e6)])
def test_boundaries_of_type_2_in_bearing_stiffness(analyse, ritz, low, high):
    """Digest T21: unstable from 31.2 to 33.4 MN/m at Omega = 390 rad/s (scan, 0.1 MN/m)."""
    boundary = brentq(
        lambda c: analyse(ritz, radial_stiffness=c)[1].leading_growth, low, high, xtol=100.0
    )
    assert boundary == pytest.approx(31.2e6 if high == 32e6 else 33.4e6, abs=0.1e6)


@pytest.mark.parametrize(
    ("speed", "threshold"), [(450, 323766), (400, 219764), (320, 72525), (200, 11922), (150, 56880)]
)
def test_type_1_threshold(analyse, ritz, speed, threshold):
    """Digest T21: rigid whirl below a bearing stiffness; the numeric column of its table."""

    def whirl(stiffness):
        _, modes = analyse(ritz, radial_stiffness=stiffness, plate_speed=float(speed))
        return modes.growth[modes.frequency < 300.0].max()

    boundary = brentq(whirl, 0.8 * threshold, 1.25 * threshold, xtol=1.0)
    assert boundary == pytest.approx(threshold, rel=0.01)


def test_more_harmonics_and_points_change_nothing(analyse, elastic_disc):
    """Digest T21: unaffected by n = 1 ... 8 and by 12 ... 96 ring points, about 8 digits."""
    values = []
    for harmonics, points in ((1, 12), (4, 24), (8, 96)):
        model = ritz_harmonic(elastic_disc.plate(elastic_disc.ElasticDisc()), harmonics)
        _, modes = analyse(model, ring_points=points)
        values.append(modes.eigenvalues[modes.leading])
    np.testing.assert_allclose(values, values[0], rtol=1e-8)


def test_rigid_ring_friction(elastic_disc):
    """Digest 2.4: mu = 0.3, N = 300 N, R = 0.1 m, slip 50, Omega = 400 rad/s on a rigid plate.

    Damping kappa = mu N/(2 R |delta|) = 9 N s/m and circulatory stiffness kappa Omega = 3600 N/m.
    """
    p = replace(
        elastic_disc.ElasticDisc(), young=210e15, clutch_speed=350.0, plate_speed=400.0,
        load=300.0, axial_stiffness=1e-3, contact_damping=0.0,
    )  # fmt: skip
    system = elastic_disc.build(p, ritz_harmonic(elastic_disc.plate(p)))
    steady = steady_state(system)
    contact = next(item for item in system.items if isinstance(item, ContactPair))
    assert steady.contacts["contact"].normal_force == pytest.approx(300.0, rel=1e-6)
    by_q, by_v = contact.tangents(0.0, steady.state.q, steady.state.v)
    np.testing.assert_allclose(by_v[:2, :2], -9.0 * np.eye(2), atol=1e-4)
    np.testing.assert_allclose(by_q[:2, :2], 3600.0 * np.array([[0, -1], [1, 0]]), atol=0.1)


def test_linear_model_is_split(elastic_disc, ritz):
    system = elastic_disc.build(elastic_disc.ElasticDisc(), ritz)
    model = linearise(system, steady_state(system).state)
    for symmetric in (model.mass, model.damping, model.stiffness):
        np.testing.assert_allclose(symmetric, symmetric.T)
    for skew in (model.gyroscopic, model.circulatory):
        np.testing.assert_allclose(skew, -skew.T)
    assert np.linalg.norm(model.circulatory) > 0.0
    shares = complex_modes(model).participation
    np.testing.assert_allclose(shares["clutch"] + shares["plate"], 1.0, rtol=1e-10)
