"""Steady sliding states in all unknowns of the finite elements, and certificates of reduced modes.

The reference is a reduced body with all modes of its model: full matrices, the other steady state
solver, dense eigenvalues; nothing of the sparse model is in it.
"""

import numpy as np
import pytest
import scipy.sparse as sp

import fecontact as fc
from fecontact.analysis.stability.full.certificate import Reduced, certify_modes
from fecontact.analysis.stability.full.linear import SparseModel
from fecontact.errors import InputError
from fecontact.fem.damping import RayleighDamping
from fecontact.reduction.file import load_reduced, save_reduced
from fecontact.reduction.origin import origin
from fecontact.solvers.quadratic import quadratic_eigenpairs, quadratic_eigenvalues

TIP = (0.06, 0.0, 0.01)
RAYLEIGH = RayleighDamping(5.0, 1e-7)


@pytest.fixture(scope="module")
def solid():
    mesh = fc.block(0.06, 0.03, 0.01, cells=(3, 2, 1))
    return fc.ElasticSolid(mesh, fc.Material(7e10, 0.3, 2700.0), supports={"x_min": "clamped"})


@pytest.fixture(scope="module")
def coarse(solid):
    return fc.reduce_model(solid, contact="z_min", modes=4, tolerance=0.1, joints="x_max")


@pytest.fixture(scope="module")
def complete(solid):
    """All modes: another name for all unknowns."""
    return fc.reduce_model(solid, contact="z_min", method="free", modes=len(solid.free))


def on_disc(model, damping=RAYLEIGH, parts=None, others=lambda pad: []):
    """A pad on a spinning disc that tilts."""
    pad = fc.ElasticBody("pad", model, (0.06, -0.015, 0.0), frame="fixed", damping=damping)
    disc = fc.RigidBody(
        "disc", 1.0, ("ux", "uy", "uz", "rx", "ry"), inertia=(2e-3, 2e-3, 3e-3), spin=100.0
    )
    contact = fc.ContactPair(
        pad, fc.elastic_surface(pad, "z_min", parts=parts), fc.RigidFace(disc, fc.Plane()),
        fc.PenaltyNormal(2e11, 1e3), fc.CoulombSliding(fc.Stribeck(0.3, 0.6, 2.0)),
    )  # fmt: skip
    bearing = fc.Bearing(disc, 5e6, 2e6, 10.0, 10.0, tilt_stiffness=3e3)
    more = others(pad)
    bodies = [pad, disc, *(item for item in more if hasattr(item, "dofs"))]
    forces = [item for item in more if not hasattr(item, "dofs")]
    return fc.System(bodies, [contact, bearing, fc.Force(disc, (0, 0, 300.0)), *forces])


def on_belt(model, damping=0.0):
    """A pad on a belt whose speed is prescribed."""
    pad = fc.ElasticBody("pad", model, frame="fixed", damping=damping)
    belt = fc.RigidBody("belt", 2.0, ("ux", "uz"))
    drive = fc.PrescribedMotion(
        fc.DofCoordinate(belt, "ux"), fc.Speed(0.7), level="velocity", name="drive"
    )
    face, plane = fc.elastic_surface(pad, "z_min"), fc.RigidFace(belt, fc.Plane())
    contact = fc.ContactPair(pad, face, plane, fc.PenaltyNormal(5e10), fc.CoulombSliding(0.5))
    spring = fc.Bearing(belt, 0.0, 5e5, axial_damping=5.0)
    return fc.System([pad, belt], [contact, spring, drive, fc.Force(belt, (0, 0, 300.0))])


def held_at_its_tip(pad):
    """A spring with a damper at a node, a mass on a ball joint at another one, and weight."""
    mass = fc.RigidBody("mass", 0.01, ("ux", "uy", "uz"), position=(0.12, -0.015, 0.01))
    return [
        mass,
        fc.SpringDamper(None, pad, 1e5, 3.0, (0.2, 0.1, 0.05), (0.06, 0.03, 0.01)),
        fc.SpringDamper(None, pad, 1e4, 1.0, (0.2, 0.0, 0.0), "x_max", name="on a surface"),
        fc.Spherical(pad, mass, point_a=TIP, name="ball"),
        fc.Gravity([pad, mass]),
    ]


def same_modes(system, reference, top=2e4, low=1.0, rtol=2e-8):
    """Modes of a full point against those of the reference, and their number."""
    found = fc.full_point(fc.operating_point(system, band=(0.0, 1e6)))
    dense = fc.operating_point(reference, band=(0.0, 1e6)).modes.eigenvalues
    inside = (dense.imag > 2.0 * np.pi * low) & (dense.imag < 2.0 * np.pi * top)
    expected = np.sort_complex(dense[inside])
    got = found.modes((-5e4, 5e4), (low, top))
    np.testing.assert_allclose(np.sort_complex(got.z), expected, rtol=rtol)
    return found, len(expected)


def test_pad_on_a_disc(coarse, complete):
    found, count = same_modes(on_disc(coarse), on_disc(complete))
    assert count > 6
    assert found.kept == ()
    assert found.steady.residual < 1e-9


def test_finer_contact_points(coarse, complete):
    same_modes(on_disc(coarse, parts=2), on_disc(complete, parts=2))


def test_springs_joints_and_weight(coarse, complete):
    found, _ = same_modes(
        on_disc(coarse, others=held_at_its_tip), on_disc(complete, others=held_at_its_tip)
    )
    assert len(found.steady.chosen) == 3


def test_prescribed_speed(coarse, complete):
    same_modes(on_belt(coarse), on_belt(complete))


def test_steady_state_is_that_of_all_modes(coarse, complete, solid):
    found = fc.full_point(fc.operating_point(on_disc(coarse), band=(0.0, 1e6)))
    reference = fc.steady_state(on_disc(complete)).state.q
    shown = complete.basis[solid.free] @ reference[: complete.size]
    own = found.steady.state.q["pad"]
    assert np.abs(own - shown).max() < 1e-8 * np.abs(shown).max()


@pytest.mark.parametrize("supports", [{"x_min": "clamped"}, {}])
@pytest.mark.parametrize("stiffened", [False, True])
def test_free_frame(supports, stiffened):
    """A pad between springs and the disc, held in its frame or by its own inertia alone."""
    mesh = fc.block(0.06, 0.03, 0.01, cells=(2, 2, 1))
    solid = fc.ElasticSolid(mesh, fc.Material(7e10, 0.3, 2700.0), supports=supports)

    def built(count, method):
        model = fc.reduce_model(solid, contact="z_min", method=method, modes=count)
        where = (0.06, -0.015, 0.0)
        pad = fc.ElasticBody("pad", model, where, "free", RAYLEIGH, stiffened)
        disc = fc.RigidBody(
            "disc", 1.0, ("ux", "uy", "uz", "rx", "ry"), inertia=(2e-3, 2e-3, 3e-3), spin=100.0
        )
        face, law = fc.elastic_surface(pad, "z_min"), fc.PenaltyNormal(2e11, 1e3)
        plane = fc.RigidFace(disc, fc.Plane())
        contact = fc.ContactPair(pad, face, plane, law, fc.CoulombSliding(0.4))
        holds = [
            fc.Bushing(None, pad, (2e6, 1e6, 1e6, 2e3, 2e3, 2e3), point=corner, name=f"at {corner}")
            for corner in ((0.0, 0.0, 0.01), (0.06, 0.03, 0.01))
        ]
        bearing = fc.Bearing(disc, 5e6, 2e6, 10.0, 10.0, tilt_stiffness=3e3)
        return fc.System([pad, disc], [contact, bearing, *holds, fc.Force(disc, (0, 0, 300.0))])

    every = len(solid.free) - (0 if supports else 6)
    # inertia of the order of the strain is left out if the body shortens as it bends
    found, _ = same_modes(built(4, "rubin"), built(every, "free"), rtol=2e-5 if stiffened else 2e-8)
    assert len(found.steady.chosen) == (0 if supports else 6)


@pytest.mark.parametrize("stiffened", [False, True])
def test_turning_frame(coarse, complete, stiffened):
    """A pad that turns with its supports and rubs on the ground: Coriolis, centrifugal terms."""

    def built(model):
        frame = fc.TurningFrame((0.0, 0.0, 1.0), 300.0, (-0.05, 0.01, 0.0))
        pad = fc.ElasticBody("pad", model, (0.0, 0.0, 0.0), frame, RAYLEIGH, stiffened)
        face = fc.elastic_surface(pad, "z_min").with_gap(-1e-6)
        ground = fc.RigidFace(None, fc.Plane())
        law = fc.PenaltyNormal(1e11), fc.CoulombSliding(0.4)
        return fc.System([pad], [fc.ContactPair(pad, face, ground, *law)])

    # with the stress of the spin, terms of the mass of the order of the strain are left out
    same_modes(built(coarse), built(complete), rtol=2e-5 if stiffened else 2e-8)


def test_damping_by_ratios_belongs_to_the_basis(coarse, complete, solid):
    found = fc.full_point(fc.operating_point(on_disc(coarse, 0.02), band=(0.0, 1e6)))
    model = fc.operating_point(on_disc(complete, 0.0), band=(0.0, 1e6)).model
    D, part = model.by_rate.copy(), model.bodies["pad"]
    shared = complete.basis.T @ (solid.mass @ coarse.basis)  # coordinates of the coarse basis
    D[part, part] += (shared * (0.04 * coarse.frequencies)) @ shared.T
    dense = quadratic_eigenvalues(model.mass, D, model.by_position)
    inside = (dense.imag > 6.0) & (dense.imag < 2.0 * np.pi * 2e4)
    got = found.modes((-5e4, 5e4), (1.0, 2e4))
    np.testing.assert_allclose(np.sort_complex(got.z), np.sort_complex(dense[inside]), rtol=2e-8)


def test_certificate_of_an_operating_point(coarse, complete, tmp_path):
    point = fc.operating_point(on_disc(coarse), band=(0.0, 2e4), certify=True)
    true = fc.operating_point(on_disc(complete), band=(0.0, 1e6)).modes.eigenvalues
    found = point.certificate
    assert found.modes.tolist() == np.flatnonzero(point.modes.in_band).tolist()
    assert (found.status == 0).all()
    error = np.abs(true[:, None] - found.z).min(axis=0)
    assert np.all(found.estimate > error)
    assert np.all(found.estimate < 1.3 * error + 1e-7)
    assert np.all(np.abs(true[:, None] - found.corrected).min(axis=0) <= found.remaining)
    assert found.sure.all()
    assert str(found).count("certified") == len(found.modes)
    assert f"{len(found.modes)} certified" in repr(found)
    assert found.plot(tmp_path / "certificate.png").axes[0].get_ylabel() == "growth rate / (1/s)"
    assert (tmp_path / "certificate.png").exists()
    named = fc.operating_point(on_disc(coarse), band=(0.0, 2e4), certify={"pad": origin(coarse)})
    np.testing.assert_allclose(named.certificate.estimate, found.estimate, rtol=1e-6)


def matrices(lowest):
    """A full model with given lowest frequencies, whose basis lacks its two highest coordinates."""
    squares = np.r_[np.asarray(lowest) ** 2, 500.0**2, 600.0**2]
    n = len(squares)
    K, coupling = np.diag(squares), np.zeros((n, n))
    coupling[0, -2], coupling[1, -1], coupling[2, -2:] = 3e3, 4e3, (2e3, -2e3)
    K = K + coupling + coupling.T
    D = np.diag(np.linspace(0.5, 1.0, n))
    lift = sp.eye_array(n, n - 2, format="csr")
    full = SparseModel(
        *(sp.csr_array(A) for A in (np.eye(n), D, K)),
        bodies={"all": slice(0, n)}, lift=sp.csr_array(lift), rates=sp.csr_array((0, n)),
    )  # fmt: skip
    found = quadratic_eigenpairs(np.eye(n - 2), D[:-2, :-2], K[:-2, :-2])
    upper = np.flatnonzero(found.z.imag > 0.0)
    upper = upper[np.argsort(found.z[upper].imag)]
    reduced = Reduced(found.z[upper], found.right[:, upper], found.left[:, upper])
    true = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -D]]))
    true = true[true.imag > 0.0]
    return full, reduced, true[np.argsort(true.imag)]


def test_a_close_pair_is_judged_by_its_mean():
    full, reduced, true = matrices([100.0, 100.0 + 1e-3, 200.0])
    found = certify_modes(full, reduced, np.arange(3))
    assert found.status.tolist() == [1, 1, 0]
    assert found.partner.tolist() == [1, 0, -1]
    error = abs(np.mean(reduced.z[:2]) - np.mean(true[:2]))
    assert error > 0.1
    assert found.z[0] == found.z[1] == pytest.approx(np.mean(reduced.z[:2]))
    assert error < found.estimate[0] < 1.5 * error
    assert "pair with 1, mean" in str(found)


def test_three_in_one_place_are_not_certifiable():
    full, reduced, _ = matrices([100.0, 100.0 + 1e-3, 100.0 + 2e-3, 300.0])
    found = certify_modes(full, reduced, np.arange(4))
    assert found.refused.tolist() == [0, 1, 2]
    assert np.isinf(found.estimate[:3]).all()
    assert "not certifiable" in str(found)


def test_study_over_modes_and_points(solid, tmp_path):
    def build(modes, parts):
        model = fc.reduce_model(solid, contact="z_min", modes=modes, method="free")
        return on_disc(model, parts=parts)

    study = fc.reduction_study(build, [4, 30], [1, 2], (1.0, 8e3), count=2)
    error = np.abs(study.reduced - study.full[:, None, :])
    assert np.all(error[:, 1] < error[:, 0])
    assert np.all(study.estimate > error)
    assert np.all(study.estimate < 1.3 * error)
    assert study.points[1] == 4 * study.points[0]
    assert np.all(study.counted == study.counted[0, -1])
    assert len(str(study).splitlines()) == 1 + 2 * 2 * 3
    figure = study.plot(tmp_path / "study.png")
    assert len(figure.axes) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"frame": fc.TurningFrame((0, 0, 1), fc.Speed(3.0))}, "of constant speed"),
    ],
)
def test_frames_that_have_no_such_form(coarse, change, words):
    body = fc.ElasticBody("pad", coarse, **change)
    with pytest.raises(InputError, match=words):
        body.unreduced(None)


def test_what_is_refused(coarse, complete, solid):
    point = fc.operating_point(on_disc(coarse), band=(0.0, 2e4))
    with pytest.raises(InputError, match="unknown body 'pat'"):
        fc.full_point(point, {"pat": solid})
    with pytest.raises(InputError, match="'disc' has no form with all unknowns"):
        fc.full_point(point, {"disc": solid})
    other = fc.ElasticSolid(solid.mesh, fc.Material(8e10, 0.3, 2700.0), supports=solid.supports)
    with pytest.raises(InputError, match="its stiffness differ"):
        fc.full_point(point, {"pad": other})
    with pytest.raises(InputError, match="expected True, or finite-element models by body"):
        fc.operating_point(on_disc(coarse), band=(0.0, 2e4), certify="pad")
    with pytest.raises(InputError, match="expected a system with an ElasticBody"):
        fc.full_point(fc.operating_point(rigid()))


def rigid():
    block = fc.RigidBody("block", 1.0, ("uz",))
    return fc.System([block], [fc.Bearing(block, 0.0, 1e4)])


def test_a_load_in_coordinates_of_the_basis_is_refused(coarse):
    def others(pad):
        return [fc.GeneralisedForce(pad, np.ones(len(pad.dofs)))]

    point = fc.operating_point(on_disc(coarse, others=others), band=(0.0, 2e4))
    with pytest.raises(InputError, match="generalised force"):
        fc.full_point(point)


def test_a_body_read_from_a_file_needs_its_model(coarse, tmp_path, solid):
    save_reduced(coarse, tmp_path / "pad.h5")
    read = load_reduced(tmp_path / "pad.h5")
    point = fc.operating_point(on_disc(read), band=(0.0, 2e4))
    with pytest.raises(InputError, match="the finite-element model of 'pad' is not at hand"):
        fc.full_point(point)
    assert fc.full_point(point, {"pad": solid}).model.size == len(solid.free) + 5
