"""Assemblies: patch test, tied halves against one part, gaps, crossing ties, couplings, names."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from skfem import MeshHex, MeshTet

from fecontact.body import FEBody
from fecontact.errors import InputError
from fecontact.fem import (
    Assembly,
    AveragingCoupling,
    Bolt,
    ElasticSolid,
    Equation,
    KirchhoffPlate,
    Material,
    RigidCoupling,
    Tie,
    rigid_surface,
    static_displacement,
)
from fecontact.mesh import annulus, block, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.reduction.flexibility import Flexibility

STEEL = Material(2e11, 0.3, 7800.0)
CLAMPED = {"x_min": "clamped"}
pytestmark = pytest.mark.filterwarnings("ignore:the edges of the")


def solid(element, cells, size, shift=(0.0, 0.0, 0.0), supports=None, seed=None, face=None):
    """Block; the inner nodes of the face at z = `face` are moved in it at random."""
    mesh = block(*size, cells, element[:3]).translated(shift)
    if seed is not None:
        p, low, high = mesh.p.copy(), mesh.p.min(axis=1), mesh.p.max(axis=1)
        edge = np.minimum(p - low[:, None], high[:, None] - p)[:2].min(axis=0)
        inner = (np.abs(p[2] - face) < 1e-12) & (edge > 1e-9)
        p[:2, inner] += np.random.default_rng(seed).uniform(-1, 1, (2, inner.sum())) * 3e-3
        mesh = (MeshHex if element[:3] == "hex" else MeshTet)(p, mesh.t, mesh.boundaries)
    return ElasticSolid(mesh, STEEL, element=element, supports=supports or {})


@pytest.mark.parametrize(
    ("lower", "upper"),
    [("hex1", "hex1"), ("tet1", "hex1"), ("hexS2", "tet2"), ("tet2", "hex2"), ("hex1", "hexS2"),
     ("tet2", "tet1")],
)  # fmt: skip
@pytest.mark.parametrize("seed", [None, 5])
def test_patch(lower, upper, seed):
    """Any constant stress, with its tractions on the outer faces, is the exact solution: 1e-9."""
    size = (0.1, 0.08, 0.05)
    parts = {
        "lower": solid(lower, (3, 3, 2), size, seed=seed, face=0.05),
        "upper": solid(upper, (4, 5, 2), size, (0, 0, 0.05), seed=seed, face=0.05),
    }
    body = Assembly(parts, [Tie("upper.z_min", "lower.z_max")])
    slope = np.random.default_rng(1).standard_normal((3, 3))
    strain = 0.5 * (slope + slope.T)
    stress = STEEL.young / 1.3 * (strain + 0.3 / 0.4 * np.trace(strain) * np.eye(3))
    f = np.zeros(body.stiffness.shape[0])
    for part in parts:
        for name in ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max"):
            if (part, name) in (("lower", "z_max"), ("upper", "z_min")):
                continue
            on = body.surface(f"{part}.{name}")
            f += on.shape.T @ (on.weights[:, None] * (on.normals @ stress)).ravel()
    u = static_displacement(body, f)
    exact = np.concatenate([(part.nodes @ strain).ravel() for part in parts.values()])
    found = body.transformation @ u
    rigid = np.vstack([part.rigid_body_modes() for part in parts.values()])
    rest = found - exact
    rest -= rigid @ np.linalg.lstsq(rigid, rest, rcond=None)[0]
    assert np.abs(rest).max() < 1e-9 * np.abs(exact).max()


@pytest.mark.parametrize("element", ["hex1", "hexS2", "tet2"])
def test_patch_of_four_blocks_with_supports(element):
    """Four ties that cross on one line, supports across all of them: uniaxial stress, 1e-9."""
    edge, pressure = 0.05, 1e6
    cells = [(2, 2, 2), (2, 3, 2), (3, 2, 2), (2, 3, 3)]
    parts = {}
    for (name, shift), n in zip(
        {"a": (0, 0, 0), "b": (0, edge, 0), "c": (0, 0, edge), "d": (0, edge, edge)}.items(),
        cells, strict=True,
    ):  # fmt: skip
        held = {"x_min": "x"} | ({"y_min": "y"} if not shift[1] else {})
        held |= {"z_min": "z"} if not shift[2] else {}
        parts[name] = solid(element, n, (edge,) * 3, shift, held)
    ties = [("b.y_min", "a.y_max"), ("d.y_min", "c.y_max"), ("c.z_min", "a.z_max")]
    body = Assembly(parts, [Tie(*tie) for tie in (*ties, ("d.z_min", "b.z_max"))])
    f = np.zeros(body.stiffness.shape[0])
    for name in ("b", "d"):
        on = body.surface(f"{name}.y_max")
        f += on.shape.T @ (on.weights[:, None] * pressure * on.normals).ravel()
    u = static_displacement(body, f)
    for name, part in parts.items():
        exact = pressure / STEEL.young * part.nodes * [-0.3, 1.0, -0.3]
        found = body.part_displacement(name, u).reshape(-1, 3)
        assert np.abs(found - exact).max() < 1e-9 * pressure / STEEL.young * 2 * edge


@pytest.fixture(scope="module")
def bar():
    """Frequencies and tip deflection of one part, on two meshes and a fine one."""

    def whole(cells):
        return ElasticSolid(block(0.2, 0.03, 0.04, cells), STEEL, supports=CLAMPED)

    return [answers(whole(c), "x_max") for c in ((14, 2, 4), (20, 3, 4), (32, 5, 6))]


def answers(model, *ends):
    """Six frequencies, and the mean deflection of the end under a force along y and z."""
    f = np.zeros(model.stiffness.shape[0])
    for name in ends:
        on = model.surface(name)
        f += on.shape.T @ (on.weights[:, None] * [0.0, 1e6, 2e6]).ravel()
    deflection = f @ static_displacement(model, f)
    return np.append(Flexibility(model).modes(6)[0], deflection)


@pytest.mark.parametrize(
    ("lower", "upper"), [(("hexS2", (14, 2, 2)), ("hexS2", (20, 3, 2))),
                         (("hexS2", (14, 2, 2)), ("tet2", (24, 4, 3)))],
)  # fmt: skip
def test_two_halves_are_one_part(bar, lower, upper):
    """Frequencies and deflection lie within the mesh error of the coarser half, and not below."""
    parts = {
        "lower": solid(*lower, (0.2, 0.03, 0.02), supports=CLAMPED),
        "upper": solid(*upper, (0.2, 0.03, 0.02), (0, 0, 0.02), CLAMPED),
    }
    body = Assembly(parts, [Tie("upper.z_min", "lower.z_max")])
    coarse, _, fine = bar
    found = answers(body, "lower.x_max", "upper.x_max")
    error, of_mesh = np.abs(found / fine - 1.0), np.abs(coarse / fine - 1.0)
    assert np.all(error < 1.5 * of_mesh.max())
    assert np.all(found[:6] > fine[:6] * (1.0 - 2e-4))


@pytest.mark.parametrize("element", ["hex1", "hexS2", "tet2"])
def test_matching_halves_are_the_same_as_one_part(element):
    """With the same nodes on both faces the tie merges them: equal to round-off."""
    one = solid(element, (6, 2, 2), (0.1, 0.03, 0.04), supports=CLAMPED)
    parts = {
        "lower": solid(element, (6, 2, 1), (0.1, 0.03, 0.02), supports=CLAMPED),
        "upper": solid(element, (6, 2, 1), (0.1, 0.03, 0.02), (0, 0, 0.02), CLAMPED),
    }
    body = Assembly(parts, [Tie("upper.z_min", "lower.z_max")])
    assert len(body.free) == len(one.free)
    if element[:3] == "hex":  # tetrahedra cut the halves in another pattern
        expected = answers(one, "x_max")
        np.testing.assert_allclose(answers(body, "lower.x_max", "upper.x_max"), expected, rtol=1e-8)


@pytest.mark.parametrize("element", ["hex1", "hexS2"])
def test_curved_faces_with_gaps(element):
    """A ring in a ring, chords against chords: rigid motions are free of stress and forces of
    moment; the frequencies are those of one ring within the mesh error."""
    inner = ElasticSolid(solid_annulus(0.05, 0.07, 0, 0.02, 2, 36, 2), STEEL, element)
    outer = ElasticSolid(solid_annulus(0.07, 0.1, 0, 0.02, 3, 52, 2), STEEL, element)
    body = Assembly({"in": inner, "out": outer}, [Tie("out.inner", "in.outer")])
    found = body.tied["out.inner to in.outer"]
    assert found.largest_gap > 1e-4
    modes, whole = body.rigid_body_modes(), np.vstack(
        [inner.rigid_body_modes(), outer.rigid_body_modes()]
    )  # fmt: skip
    np.testing.assert_allclose(body.transformation @ modes, whole, atol=1e-12)
    assert np.abs(body.stiffness @ modes).max() < 1e-12 * abs(body.stiffness).max()
    flexibility = Flexibility(body)
    assert flexibility.rigid.shape[1] == 6
    one = ElasticSolid(solid_annulus(0.05, 0.1, 0, 0.02, 5, 52, 2), STEEL, element)
    coarse = ElasticSolid(solid_annulus(0.05, 0.1, 0, 0.02, 5, 36, 2), STEEL, element)
    fine, rough = Flexibility(one).modes(4)[0], Flexibility(coarse).modes(4)[0]
    limit = 0.5 * np.abs(rough / fine - 1.0).max() + 2e-3
    np.testing.assert_allclose(flexibility.modes(4)[0], fine, rtol=limit)


@pytest.mark.parametrize("slave", ["hex1", "hexS2", "tet2"])
def test_slave_that_sticks_out_and_is_held(slave):
    """Nodes beyond the master, or held, pass their equations on: rigid motions stay exact."""
    low = solid("hexS2", (3, 3, 1), (0.1, 0.08, 0.05))
    high = solid(slave, (5, 4, 1), (0.1, 0.08, 0.05), (0.033, -0.017, 0.05), {"y_max": "yz"})
    body = Assembly({"low": low, "high": high}, [Tie("high.z_min", "low.z_max")])
    whole = np.vstack([low.rigid_body_modes(), high.rigid_body_modes()])
    modes = body.rigid_body_modes()
    np.testing.assert_allclose(body.transformation @ modes, whole, atol=1e-12)
    assert np.abs(body.stiffness @ modes).max() < 1e-11 * abs(body.stiffness).max()
    found = body.tied["high.z_min to low.z_max"]
    assert found.covered == pytest.approx(0.67 * 0.063 / 0.08, abs=1e-9)
    held = np.flatnonzero(np.abs(high.nodes[:, 1] - 0.063) < 1e-9)
    moved = abs(body.transformation[body.layout.first["high"] :])[3 * held + 1]
    np.testing.assert_allclose(moved.sum(axis=1), 1.0)  # a held node has its own slot


def test_mass_is_kept():
    parts = {
        "a": solid("hexS2", (2, 2, 1), (0.1, 0.08, 0.05)),
        "b": solid("tet2", (3, 2, 1), (0.1, 0.08, 0.05), (0.02, 0.0, 0.05)),
    }
    body = Assembly(parts, [Tie("b.z_min", "a.z_max")])
    modes = body.rigid_body_modes()
    expected = sum(p.rigid_body_modes().T @ p.mass @ p.rigid_body_modes() for p in parts.values())
    np.testing.assert_allclose(modes.T @ body.mass @ modes, expected, atol=1e-9)
    np.testing.assert_allclose(body.mass_field.form(np.eye(3)).toarray(), body.mass.toarray(),
                               atol=1e-12)  # fmt: skip


def test_reduction_holds_a_point_and_moves_in_a_frame():
    """Reduced assembly: joint at a point of a coupling within 1 %, floating frame possible."""
    parts = {
        "core": solid("hexS2", (4, 2, 1), (0.1, 0.04, 0.01)),
        "lining": ElasticSolid(
            block(0.06, 0.04, 0.004, (4, 3, 1)).translated((0.02, 0.0, 0.01)),
            Material(9e9, 0.3, 1900.0),
        ),
    }
    body = Assembly(
        parts, [Tie("lining.z_min", "core.z_max")], [RigidCoupling("hub", "core.x_min")]
    )
    reduced = reduce_model(body, "lining.z_max", modes=6, joints="hub")
    hub = reduced.interfaces["hub"]
    np.testing.assert_allclose(hub.position, [0.0, 0.02, 0.005], atol=1e-12)
    assert hub.joint
    assert hub.compliance.energy_error < 0.01
    assert reduced.rigid == 6
    assert reduced.inertia is not None
    assert reduced.geometric is not None
    assert sorted(reduced.interfaces)[:2] == ["core.x_max", "core.x_min"]
    full = FEBody("clutch", body)
    motion = full.marker("hub").displacement
    np.testing.assert_allclose(
        motion @ body.rigid_body_modes()[body.free, :3], np.eye(3), atol=1e-9
    )


def test_stress_stiffness_is_that_of_the_parts():
    """Two halves with the same nodes as one part: same geometric stiffness under the same load."""
    one = solid("hexS2", (4, 2, 2), (0.1, 0.03, 0.04), supports=CLAMPED)
    parts = {
        "lower": solid("hexS2", (4, 2, 1), (0.1, 0.03, 0.02), supports=CLAMPED),
        "upper": solid("hexS2", (4, 2, 1), (0.1, 0.03, 0.02), (0, 0, 0.02), CLAMPED),
    }
    body = Assembly(parts, [Tie("upper.z_min", "lower.z_max")])
    values = []
    for model, ends in ((one, ["x_max"]), (body, ["lower.x_max", "upper.x_max"])):
        f = np.zeros(model.stiffness.shape[0])
        for name in ends:
            on = model.surface(name)
            f += on.shape.T @ (on.weights[:, None] * [1e6, 2e5, 0.0]).ravel()
        u = static_displacement(model, f)
        values.append(
            [u @ model.geometric_stiffness(u, strain) @ u for strain in ("green", "biot")]
        )
    np.testing.assert_allclose(values[1], values[0], rtol=1e-8)


def test_names_and_bad_input():
    low, high = (
        solid("hex1", (2, 2, 1), (0.1,) * 3),
        solid("hex1", (2, 2, 1), (0.1,) * 3, (0, 0, 0.1)),
    )
    parts = {"low": low, "high": high}
    tie = Tie("high.z_min", "low.z_max")
    body = Assembly(parts, [tie], [AveragingCoupling("eye", "high.z_max")])
    assert sorted(body.interfaces)[:2] == ["eye", "high.x_max"]
    bad = {
        "expected at least one body": lambda: Assembly({}),
        "name of a part 'a.b'": lambda: Assembly({"a.b": low}),
        "'high.rim' .*unknown surface 'rim'": lambda: Assembly(
            parts, [Tie("high.rim", "low.z_max")]
        ),
        "surface 'z_min' is one of low, high: expected": lambda: Assembly(
            parts, [Tie("z_min", "low.z_max")]
        ),
        "to itself": lambda: Tie("low.z_max", "low.z_max"),
        "gap of a tie = -1": lambda: Tie("a", "b", -1.0),
        "do not face each other": lambda: Assembly(parts, [Tie("high.z_max", "low.z_min")]),
        "slave of a tie 'p'": lambda: Assembly(
            {"low": low, "p": KirchhoffPlate(annulus(0.05, 0.1, 2, 12), 0.002, STEEL)},
            [Tie("p.top", "low.z_max")],
        ),
        "no node of the slave face can follow": lambda: Assembly(
            {"low": low, "high": ElasticSolid(high.mesh, STEEL, "hex1", {"z_min": "clamped"})},
            [tie],
        ),
        "depend on each other in a circle": lambda: Assembly(
            parts, equations=[
                Equation([(("low", 0), "ux", 1.0), (("low", 1), "ux", -1.0)]),
                Equation([(("low", 1), "ux", 1.0), (("low", 0), "ux", -1.0)]),
            ],
        ),
        "unknown point 'ear'": lambda: Assembly(parts, supports={"ear": "clamped"}),
        "support of 'eye' = ": lambda: Assembly(
            parts, [tie], [RigidCoupling("eye", "low.z_min")], supports={"eye": ["rr"]}
        ),
        "point 'eye' has two positions": lambda: Assembly(
            parts, [tie], [RigidCoupling("eye", "low.z_min", (0.0, 0.0, 0.0)),
                           RigidCoupling("eye", "high.z_max", (0.0, 0.0, 1.0))],
        ),
        "another name than that of a part": lambda: Assembly(
            parts, [tie], [RigidCoupling("low", "low.z_min")]
        ),
    }  # fmt: skip
    for message, make in bad.items():
        with pytest.raises(InputError, match=message) as caught:
            make()
        assert "\n" not in str(caught.value)
    shifted = ElasticSolid(
        block(0.1, 0.1, 0.1, (4, 2, 1)).translated((0.08, 0, 0.1)), STEEL, "hex1"
    )
    with pytest.warns(UserWarning, match="only 20% of the slave face has the master before it"):
        Assembly({"low": low, "high": shifted}, [tie])


def test_loose_parts_are_told():
    from fecontact.errors import SolverError

    parts = {
        "a": solid("hex1", (2, 2, 1), (0.1,) * 3, supports=CLAMPED),
        "b": solid("hex1", (2, 2, 1), (0.1,) * 3, (0, 0, 0.1)),
    }
    with pytest.raises(SolverError, match="loose parts"):
        reduce_model(Assembly(parts), modes=2)


def test_rigid_coupling_is_that_of_a_rigid_surface():
    one = solid("hexS2", (4, 2, 1), (0.1, 0.03, 0.02), supports=CLAMPED)
    body = Assembly({"bar": one}, couplings=[RigidCoupling("end", "x_max")])
    stiff = rigid_surface(one, "x_max")
    np.testing.assert_allclose(
        Flexibility(body).modes(5)[0], Flexibility(stiff).modes(5)[0], rtol=1e-9
    )
    assert sp.issparse(body.transformation)
    assert Bolt("b", "bar.x_min", "end", 1.0).stiffness == 1.0
