"""The chain of `gearbox/clutch_plate` against references that do not use its parts.

The plate repeats itself eight times in a turn. A turn by one sector maps nodes to nodes, so the
coordinates of its patterns that stand in space are known exactly: with T the turn of the reduced
coordinates by pi/4, exp(J pi/4) = T, and y = exp(J Omega t) q (Coleman's transformation). Up to the
small unevenness of the steady pressure the small motions have constant coefficients in y.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.linalg as la
from scipy.spatial import cKDTree

import fecontact as fc

SECTORS = 8
case = fc.load_module("gearbox/clutch_plate")
QUICK = replace(case.ClutchPlate(), modes=24)


@cache
def solid() -> fc.ElasticSolid:
    """The plate with all its unknowns."""
    mesh = fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh")
    sides = dict.fromkeys(("facing_flywheel_side", "facing_pressure_side"), fc.FACING)
    return fc.ElasticSolid(mesh, {"core": fc.STEEL} | sides, supports={"teeth": "clamped"})


@cache
def point() -> Any:
    """Operating point of the case."""
    return case.judged(QUICK)


def generator(model: fc.ReducedModel) -> fc.Floats:
    """J of the elastic coordinates; patterns of four nodal diameters ride with the plate."""
    nodes, angle = model.geometry.points, 2.0 * np.pi / SECTORS
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    distance, there = cKDTree(nodes).query(nodes @ R.T)
    assert distance.max() < 1e-8
    U = np.asarray(model.geometry.shape @ model.basis).reshape(len(nodes), 3, -1)
    turned = np.empty_like(U)
    turned[there] = np.einsum("ij,njk->nik", R, U)
    flat = U.reshape(-1, U.shape[2])
    T, *_ = np.linalg.lstsq(flat, turned.reshape(flat.shape), rcond=None)
    left = np.abs(flat @ T - turned.reshape(flat.shape)).max()
    assert left < 1e-6 * np.abs(flat).max(), "the reduced plate repeats itself as its mesh does"
    values, V = np.linalg.eig(T)
    k = np.round(np.angle(values) / angle)
    k[np.abs(k) == SECTORS / 2] = 0.0
    return np.asarray((V @ np.diag(1j * k) @ np.linalg.inv(V)).real)


def coleman(p: Any, steady: fc.State) -> fc.Complexes:
    """Eigenvalues in 1/s of small motions about a steady state of the case, growing ones first.

    At t = 0: delta q = y; delta v = y' + A y, delta a = y'' + B y' + C y, where displacements stand
    in space, rotations of plate and shaft are about turning axes, and elastic coordinates ride.
    """
    system, Omega = case.build(p), p.shaft_speed
    A, B, C = np.zeros((3, system.size, system.size))
    for body in system.bodies:
        if "rz" not in body.dofs:
            continue
        first = system.slices[body.name].start
        B[first + 3, first + 4], B[first + 4, first + 3] = Omega, -Omega
        if isinstance(body, fc.ElasticBody):
            J, e = generator(body.model), slice(first + 6, system.slices[body.name].stop)
            A[e, e], B[e, e], C[e, e] = -Omega * J, -2.0 * Omega * J, Omega**2 * J @ J
    by_q, by_v = system.tangents(steady)
    Z, mass = la.null_space(system.constraint(steady).jacobian), system.mass_matrix(steady.q)
    M, D, K = (Z.T @ X @ Z for X in (mass, mass @ B - by_v, mass @ C - by_q - by_v @ A))
    n = len(M)
    z = la.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-la.solve(M, K), -la.solve(M, D)]]))
    z = z[z.imag >= 0.0]
    return np.asarray(z[np.argsort(-z.real)])


def test_frequencies_of_the_reduced_plate() -> None:
    """Its lowest modes are those of the 18 480 unknowns."""
    full, model = solid(), case.plate(QUICK)
    omega, _ = fc.vibration_modes(full.stiffness, full.mass, full.free, 20)
    np.testing.assert_allclose(model.frequencies[:20], omega, rtol=1e-7)
    assert model.rigid == 0


@pytest.mark.parametrize("harmonic", [0, 1, 3])
def test_compliance_under_a_facing(harmonic: int) -> None:
    """Pressure on a facing, even or with waves around: displacement of both against all unknowns.

    Up to one wave it is a load shape of the reduction. Three waves are none; what the modes miss is
    small beside the cushion, which gives way by A/c = 3.6e-9 m/Pa.
    """
    full, model = solid(), case.plate(QUICK)
    cushion = full.surface("facing_flywheel").weights.sum() / QUICK.contact_stiffness
    face = full.surface("facing_flywheel")
    pressure = np.cos(harmonic * np.arctan2(face.points[:, 1], face.points[:, 0]))
    load = face.shape.T @ (face.weights[:, None] * (-pressure[:, None] * face.normals)).ravel()
    u = fc.static_displacement(full, load)
    reduced = model.surface("facing_flywheel")
    traction = reduced.weights[:, None] * (-pressure[:, None] * reduced.normals)
    q = reduced.shape.T @ traction.ravel() / model.frequencies**2
    for name in ("facing_flywheel", "facing_pressure"):
        found, exact = model.surface(name).shape @ q, full.surface(name).shape @ u
        error = np.sqrt(np.mean((found - exact) ** 2))
        allowed = 2e-3 * cushion if harmonic > 1 else 1e-6 * np.sqrt(np.mean(exact**2))
        assert error < allowed


def test_modes_against_patterns_of_the_sectors() -> None:
    """Mean of a turn, corrected by its own estimate, and exact patterns: growth and frequency."""
    found, exact = point(), coleman(QUICK, point().steady.state)[0]
    modes = found.modes
    z = modes.eigenvalues[modes.leading]
    shift = found.asymmetry.shift[modes.leading]
    assert z.real == pytest.approx(exact.real, rel=0.05)
    assert (z + shift).real == pytest.approx(exact.real, rel=0.002)
    assert (z + shift).imag == pytest.approx(exact.imag, rel=1e-4)


def test_growth_in_time() -> None:
    """A small disturbance of the plate as it is grows as the exact patterns say."""
    found, exact = point(), coleman(QUICK, point().steady.state)[0]
    moved = [case.moved(found, start, 0.008) for start in (found.start(1e-8), found.undisturbed())]
    seen = found.measured(*moved)
    assert seen.real == pytest.approx(exact.real, rel=1e-3)
    assert seen.imag == pytest.approx(exact.imag, rel=1e-4)


def test_explicit_and_implicit_agree() -> None:
    """Facings that lift off and close, without slip to rest: both methods are of second order."""
    found = point()
    start = found.system.sliding(found.start(4e-5))
    fine = fc.simulate(found.system, 4e-4, start, "explicit", 2e-4, step=1e-6)
    assert (fine.contact_status == fc.OPEN).any()
    assert fine.unaccounted < 1e-3
    moved = fine.q[-1] - fine.q[0]
    for method, steps in {"explicit": (4e-6, 2e-6), "implicit": (1e-5, 5e-6)}.items():
        options = {"rho_inf": 1.0} if method == "implicit" else {}
        ends = [fc.simulate(found.system, 4e-4, start, method, 2e-4, step=h, **options).q[-1]
                for h in steps]  # fmt: skip
        far, near = (np.linalg.norm(end - fine.q[-1]) / np.linalg.norm(moved) for end in ends)
        assert near < 2e-3
        assert near < 0.45 * far


@pytest.mark.slow
@pytest.mark.parametrize("more", ["modes", "points"])
def test_twice_the_modes_and_points(monkeypatch: pytest.MonkeyPatch, more: str) -> None:
    """Growth of the leading mode may change by 5 %, and does so by less than 1e-6."""
    leading = point().modes.leading_growth
    if more == "points":
        plain = fc.elastic_surface
        monkeypatch.setattr(fc, "elastic_surface", lambda body, name: plain(body, name, parts=2))
        finer = case.judged(replace(QUICK))
        assert len(finer.system.stateful_contacts[0].surface.points) == 4 * 1008
    else:
        finer = case.judged(replace(QUICK, modes=2 * QUICK.modes))
    assert finer.modes.leading_growth == pytest.approx(leading, rel=0.05)


def without(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Leave an item out of all systems."""
    whole = fc.System

    def lacking(bodies: Any, items: Any) -> fc.System:
        return whole(bodies, [item for item in items if item.name != name])

    monkeypatch.setattr(fc, "System", lacking)


@pytest.mark.parametrize("name", ["spline", "gear mesh"])
def test_what_holds_no_turn(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A plate that nothing joins to the shaft, or a shaft without its gear."""
    without(monkeypatch, name)
    with pytest.raises(fc.SolverError, match=r"nothing holds 'plate.rz' .* join the body") as error:
        case.judged(QUICK)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"load": 0.0}, "load = 0.0 N: expected > 0"),
        ({"slip": 0.0}, "slip = 0.0 rad/s: expected other than 0"),
        ({"backlash": -1e-4}, "backlash = -0.0001 m: expected >= 0"),
        ({"modes": 1}, "modes = 1: expected"),
    ],
)
def test_impossible_parameters(changes: dict[str, float], words: str) -> None:
    """One line before anything is computed."""
    with pytest.raises(fc.InputError, match=words) as error:
        replace(QUICK, **changes)
    assert "\n" not in str(error.value)


def test_names_of_the_mesh() -> None:
    """Wrong names of teeth, facings and volumes are told with those that there are."""
    mesh = fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh")
    sides = dict.fromkeys(("facing_flywheel_side", "facing_pressure_side"), fc.FACING)
    materials = {"core": fc.STEEL} | sides
    with pytest.raises(fc.InputError, match=r"'spline'.*teeth"):
        fc.ElasticSolid(mesh, materials, supports={"spline": "clamped"})
    with pytest.raises(fc.InputError, match=r"material"):
        fc.ElasticSolid(mesh, {"core": fc.STEEL}, supports={"teeth": "clamped"})
    body = fc.ElasticBody("plate", case.plate(QUICK))
    with pytest.raises(fc.InputError, match=r"'facing'.*facing_flywheel"):
        fc.elastic_surface(body, "facing")


def test_a_mesh_in_millimetres() -> None:
    """240 m across: a warning with the cure when the file is read."""
    with pytest.warns(UserWarning, match=r"spans 240 m; if the file is in mm.*scale=1e-3"):
        fc.load_mesh(fc.mesh_folder() / "clutch_plate.msh", scale=1e3)


def test_faces_that_look_away_from_the_plate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pressure plate needs a normal towards the plate, -z."""
    up = fc.Plane
    monkeypatch.setattr(fc, "Plane", lambda normal=None: up())
    with pytest.raises(fc.InputError, match=r"pressure side: invalid normal .* towards 'plate'"):
        case.build(QUICK)
