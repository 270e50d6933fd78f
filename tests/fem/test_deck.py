"""Decks of Abaqus and CalculiX: the same models built by hand, another program, bad lines."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import (
    Assembly,
    AveragingCoupling,
    CylindricalAxes,
    ElasticSolid,
    Equation,
    Material,
    Orthotropic,
    RigidCoupling,
    Tie,
    read_deck,
    static_displacement,
)
from fecontact.mesh import block, edges_on_nodes, solid_annulus, with_node_sets
from fecontact.reduction import reduce_model
from fecontact.reduction.flexibility import Flexibility

TYPES = {"tetra": "C3D4", "tetra10": "C3D10", "hexahedron": "C3D8", "hexahedron20": "C3D20"}
FACES = {"tetra": ("021", "013", "123", "032"),
         "hexahedron": ("0321", "4567", "0154", "1265", "2376", "0473")}  # fmt: skip
STEEL = Material(2e11, 0.3, 7800.0)
SIZE = (0.1, 0.03, 0.02)
pytestmark = pytest.mark.filterwarnings("ignore:the edges of the")


def solid(element, cells, shift=(0.0, 0.0, 0.0), **more):
    mesh = block(*SIZE, cells, element[:3]).translated(shift)
    return ElasticSolid(mesh, STEEL, element=element, **more)


class Writer:
    """Lines of a deck; nodes of several solids are numbered one after the other, from 11 on."""

    def __init__(self, scale=1.0):
        self.lines, self.nodes, self.elements, self.scale = ["*HEADING", "test"], 10, 100, scale

    def add(self, body, name, material="STEEL", extra=""):
        """Nodes, elements, section; returns the number before the first node."""
        before = self.nodes
        ((kind, cells),) = body.geometry.cells.items()
        self.lines += [f"*NODE, NSET=N{name}"]
        for x in body.nodes * self.scale:
            self.nodes += 1
            self.lines += [f"{self.nodes}, " + ", ".join(f"{value:.12e}" for value in x)]
        self.first = self.elements
        self.lines += [f"*ELEMENT, TYPE={TYPES[kind]}, ELSET={name}"]
        for cell in cells + 1 + before:
            self.elements += 1
            words = [str(self.elements), *map(str, cell)]
            self.lines += [", ".join(words[:11]) + ("," if len(words) > 11 else "")]
            self.lines += [", ".join(words[11:])] if len(words) > 11 else []
        self.lines += [f"*SOLID SECTION, ELSET={name}, MATERIAL={material}{extra}"]
        return before

    def surface(self, name, body, boundary):
        """Faces of the solid that was added last."""
        ((kind, cells),) = body.geometry.cells.items()
        low = body.surface(boundary).points
        axis = int(np.ptp(low, axis=0).argmin())
        on = np.abs(body.nodes[:, axis] - low[0, axis]) < 1e-9
        self.lines += [f"*SURFACE, NAME={name}, TYPE=ELEMENT"]
        for number, cell in enumerate(cells):
            for face, corners in enumerate(FACES[kind.rstrip("0123456789")], 1):
                if on[cell[[int(c) for c in corners]]].all():
                    self.lines += [f"{self.first + 1 + number}, S{face}"]

    def nset(self, name, numbers):
        self.lines += [f"*NSET, NSET={name}"] + [f"{n}" for n in numbers]

    def material(self, density=7800.0, young=2e11):
        self.lines += ["*MATERIAL, NAME=Steel", "*ELASTIC", f"{young}, 0.3", "*DENSITY"]
        self.lines += [f"{density}"]

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")
        return path


def on_face(body, axis, value):
    return np.flatnonzero(np.abs(body.nodes[:, axis] - value) < 1e-9)


def same_frequencies(deck, expected, count=6):
    found, right = (Flexibility(model).modes(count)[0] for model in (deck, expected))
    np.testing.assert_allclose(found, right, rtol=1e-8)


@pytest.mark.parametrize("element", ["tet1", "tet2", "hex1", "hexS2"])
@pytest.mark.parametrize("units", ["m", "mm"])
def test_one_part(tmp_path, element, units):
    """Nodes, elements, section, supports, in m and in mm, t, s."""
    body = solid(element, (4, 2, 1), supports={"x_min": "clamped"})
    deck = Writer({"m": 1.0, "mm": 1e3}[units])
    before = deck.add(body, "BAR")
    deck.surface("top", body, "z_max")
    deck.nset("FIX", on_face(body, 0, 0.0) + before + 1)
    deck.material(*{"m": (7800.0, 2e11), "mm": (7.8e-9, 2e5)}[units])
    deck.lines += ["*STEP", "*FREQUENCY", "6", "*BOUNDARY", "fix, 1, 3", "*END STEP"]
    model = read_deck(deck.write(tmp_path / "bar.inp"), units)
    assert len(model.free) == len(body.free)
    same_frequencies(model, body)
    reduced = reduce_model(model, "top", modes=2)
    assert "top" in reduced.interfaces
    assert model.surface("top").weights.sum() == pytest.approx(0.003)


def test_tie_of_two_types(tmp_path):
    """Hexahedra and tetrahedra, tied: the assembly that is built by hand."""
    low = solid("hexS2", (4, 2, 1), supports={"x_min": "xyz"})
    high = solid("tet2", (6, 3, 2), (0.0, 0.0, 0.02))
    deck = Writer()
    before = deck.add(low, "LOW")
    deck.surface("MAIN", low, "z_max")
    deck.lines += ["*BOUNDARY"]
    deck.lines += [f"{n + before + 1}, ENCASTRE" for n in on_face(low, 0, 0.0)]
    deck.add(high, "HIGH")
    deck.surface("SECOND", high, "z_min")
    deck.lines += ["*TIE, NAME=BOND, POSITION TOLERANCE=1e-3", "SECOND, MAIN"]
    deck.material()
    model = read_deck(deck.write(tmp_path / "tie.inp"))
    parts = {"low": low, "high": high}
    same_frequencies(model, Assembly(parts, [Tie("high.z_min", "low.z_max")]))
    assert sorted(model.parts) == ["C3D10", "C3D20"]
    assert "C3D20.MAIN" in model.interfaces


@pytest.mark.parametrize("kind", ["KINEMATIC", "DISTRIBUTING", "RIGID BODY", "KINEMATIC, nodes"])
def test_couplings(tmp_path, kind):
    """A reference node beside the end: compliance under a force and a moment there."""
    body = solid("hexS2", (4, 2, 1), supports={"x_min": "clamped"})
    at = (0.12, 0.01, 0.03)
    deck = Writer()
    before = deck.add(body, "BAR")
    deck.surface("END", body, "x_max")
    deck.nset("ENDNODES", on_face(body, 0, 0.1) + before + 1)
    deck.lines += ["*NODE, NSET=REF", f"5, {', '.join(map(str, at))}"]
    if kind == "RIGID BODY":
        deck.lines += ["*RIGID BODY, NSET=ENDNODES, REF NODE=5"]
    else:
        surface = "END"
        if "nodes" in kind:
            deck.lines += ["*SURFACE, NAME=LOOSE, TYPE=NODE", "ENDNODES"]
            surface = "LOOSE"
        deck.lines += [f"*COUPLING, CONSTRAINT NAME=eye, REF NODE=REF, SURFACE={surface}"]
        deck.lines += [f"*{kind.split(',')[0]}", "1, 6"]
    deck.lines += ["*BOUNDARY"] + [f"{n + before + 1}, 1, 3, 0." for n in on_face(body, 0, 0.0)]
    deck.material()
    model = read_deck(deck.write(tmp_path / "coupling.inp"))
    item = AveragingCoupling if kind == "DISTRIBUTING" else RigidCoupling
    expected = Assembly({"bar": body}, couplings=[item("eye", "x_max", at)])
    point = "node 5" if kind == "RIGID BODY" else "eye"
    answers = []
    for model_of, name in ((model, point), (expected, "eye")):
        rows = model_of.transformation[model_of.layout.of_point(name)].toarray()
        answers.append(rows @ static_displacement(model_of, rows.T))
    scale = np.sqrt(np.outer(np.diag(answers[1]), np.diag(answers[1])))
    np.testing.assert_allclose(answers[0] / scale, answers[1] / scale, atol=1e-8)


def test_equation_and_support_of_a_point_in_mm(tmp_path):
    """2 u_a - u_b + 3 mm theta = 0 with a reference node that is held in two components."""
    body = solid("hex1", (4, 2, 1), supports={"x_min": "clamped"})
    end = on_face(body, 0, 0.1)
    tip = end[np.argsort(body.nodes[end, 1])][-2:]
    a, b = end[np.argsort(body.nodes[end, 1])][:2]
    deck = Writer(1e3)
    before = deck.add(body, "BAR")
    deck.nset("TIP", tip + before + 1)
    deck.lines += ["*NODE", "5, 100., 30., 5.", "*SURFACE, NAME=END, TYPE=NODE", "TIP"]
    deck.lines += ["*COUPLING, REF NODE=5, SURFACE=END", "*KINEMATIC", "*EQUATION", "3"]
    deck.lines += [f"{a + before + 1}, 2, 2., {b + before + 1}, 3, -1., 5, 4, 3."]
    deck.lines += ["*BOUNDARY", "5, 3", "5, 5", "5, 6"]
    deck.lines += [f"{n + before + 1}, 1, 3" for n in on_face(body, 0, 0.0)]
    deck.material(7.8e-9, 2e5)
    model = read_deck(deck.write(tmp_path / "deck.inp"), "mm")
    mesh = with_node_sets(body.mesh, {"tip": edges_on_nodes(body.mesh, tip)})
    parts = {"bar": ElasticSolid(mesh, STEEL, "hex1", {"x_min": "clamped"})}
    terms = [(("bar", a), "uy", 2.0), (("bar", b), "uz", -1.0), ("eye", "rx", 3e-3)]
    expected = Assembly(
        parts, couplings=[RigidCoupling("eye", "tip", (0.1, 0.03, 0.005))],
        equations=[Equation(terms)], supports={"eye": ["uz", "ry", "rz"]},
    )  # fmt: skip
    same_frequencies(model, expected)
    assert len(model.free) == len(body.free) - 6 + 6 - 3 - 1


def test_orthotropic_section(tmp_path):
    """A facing on a ring: engineering constants in cylindrical axes."""
    ring = solid_annulus(0.06, 0.11, 0.0, 0.01, 1, 12)
    facing = Orthotropic((9e9, 14e9, 3e9), (0.12, 0.25, 0.3), (4e9, 1.5e9, 1.2e9), 1900.0,
                         CylindricalAxes())  # fmt: skip
    body = ElasticSolid(ring, facing, "hex1")
    deck = Writer()
    deck.add(body, "RING", "FACING", ", ORIENTATION=POLAR")
    deck.lines += ["*ORIENTATION, NAME=POLAR, SYSTEM=CYLINDRICAL", "0., 0., 0., 0., 0., 1."]
    deck.lines += [
        "*MATERIAL, NAME=FACING",
        "*DENSITY",
        "1900.",
        "*ELASTIC, TYPE=ENGINEERING CONSTANTS",
    ]
    deck.lines += ["9e9, 14e9, 3e9, 0.12, 0.25, 0.3, 4e9, 1.5e9,", "1.2e9"]
    same_frequencies(read_deck(deck.write(tmp_path / "ring.inp")), body)


GOOD = """*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 0., 1., 0.
4, 0., 0., 1.
9, 2., 2., 2.
*ELEMENT, TYPE=C3D4, ELSET=ALL
1, 1, 2, 3, 4
*SURFACE, NAME=FACE
1, S1
*NSET, NSET=PAIR
1, 2
*MATERIAL, NAME=M
*ELASTIC
2e11, 0.3
*DENSITY
7800.
*SOLID SECTION, ELSET=ALL, MATERIAL=M
"""
BAD = {
    "*SPRING, ELSET=K\n": "line 19 of 'd.inp': .SPRING is not read: expected a deck of solids",
    "*ELEMENT, TYPE=S4\n5,1,2,3,4\n": "line 19 .*elements of type 'S4' are not read: .*C3D20",
    "*PLASTIC\n1., 0.\n": "line 19 .*PLASTIC is not read",
    "*ELASTIC, TYPE=ORTHO\n1.\n": "line 19 .*type ORTHO is not read: expected ISOTROPIC or",
    "*ELASTIC\n1., .3, 20.\n2., .3, 90.\n": "line 19 .*6 constants: expected 2",
    "*ELASTIC\nsoft\n": "line 19 .*ELASTIC cannot be read: could not convert",
    "*MATERIAL, NAME=M\n": "line 19 .*material 'M' is defined twice",
    "*MATERIAL\n": "line 19 .*expected NAME=",
    "*SOLID SECTION, ELSET=NO, MATERIAL=M\n": "line 19 .*unknown element set 'NO'",
    "*SOLID SECTION, ELSET=ALL, MATERIAL=X\n": "line 19 .*unknown material 'X'",
    "*MATERIAL, NAME=X\n*DENSITY\n1.\n*SOLID SECTION, ELSET=ALL, MATERIAL=X\n": (
        "line 19 .*MATERIAL X has no .ELASTIC"
    ),
    "*BOUNDARY\nPAIR, 1, 1, 0.5\n": "line 20 .*displacement of 0.5 is not read: expected 0",
    "*BOUNDARY\nNO, 1\n": "NSET 'NO' is used but not defined",
    "*BOUNDARY\n9, 1\n": "line 20 .*no node of '9' belongs to an element or to a coupling",
    "*BOUNDARY\n1, 1, 3000000000\n": "line 20 .*components from 1 to 6",
    "*COUPLING, REF NODE=9, SURFACE=FACE\n*KINEMATIC\n1, 3000000000\n": "components from 1 to 6",
    "*BOUNDARY\n1, 7\n": "line 20 .*components from 1 to 6",
    "*COUPLING, REF NODE=9, SURFACE=FACE\n": "line 19 .*COUPLING without \\*KINEMATIC",
    "*COUPLING, REF NODE=1, SURFACE=FACE\n*KINEMATIC\n": "line 19 .*node 1 belongs to an element",
    "*COUPLING, REF NODE=9, SURFACE=NO\n*KINEMATIC\n": "line 19 .*unknown surface or node set 'NO'",
    "*COUPLING, REF NODE=PAIR, SURFACE=FACE\n*KINEMATIC\n": "line 19 .*one reference node, not 2",
    "*KINEMATIC\n1, 3\n": "line 19 .*expected a \\*COUPLING before it",
    "*COUPLING, REF NODE=9, SURFACE=FACE\n*DISTRIBUTING\n1, 3\n": "line 20 .*expected all, 1 to 6",
    "*TIE\nFACE, NO\n": "line 19 .*unknown surface of faces 'NO'",
    "*TIE, CYCLIC SYMMETRY\nFACE, NO\n": "line 19 .*CYCLIC SYMMETRY is not read",
    "*TIE\nFACE\n": "line 19 .*TIE cannot be read",
    "*EQUATION\n2\n1, 1, 1.\n": "line 19 .*expected 2 terms of three words",
    "*EQUATION\n1\nPAIR, 1, 1.\n": "line 19 .*'PAIR' has 2 nodes: expected one",
    "*EQUATION\n1\n1, 4, 1.\n": "line 19 .*component 4 of node 1 is no unknown",
    "*RIGID BODY, ELSET=ALL, REF NODE=9\n": "line 19 .*expected NSET=nodes",
    "*ORIENTATION, NAME=O\n1., 2.\n": "line 19 .*coordinates of two points",
    "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n3, 45.\n": "line 19 .*additional rotation",
    "*TRANSFORM, NSET=PAIR\n": "line 19 .*TRANSFORM is not read",
    "*NODE, SYSTEM=C\n77, 1., 90., 0.\n": "line 19 .*SYSTEM=C is not read",
    "*BOUNDARY, FIXED\n1, 1\n": "line 19 .*option FIXED is not read",
    "*BOUNDARY, TYPE=VELOCITY\n1, 1\n": "line 19 .*option TYPE is not read",
    "*COUPLING, REF NODE=9, SURFACE=FACE, ORIENTATION=O\n": "line 19 .*ORIENTATION is not read",
    "*COUPLING, REF NODE=9, SURFACE=FACE\n*DISTRIBUTING, WEIGHTING METHOD=CUBIC\n": (
        "line 20 .*WEIGHTING METHOD=UNIFORM"
    ),
    "*STEP\n*MODEL CHANGE\n": "line 20 .*MODEL CHANGE is not read",
}


@pytest.mark.parametrize("extra", BAD)
def test_bad_lines(tmp_path, extra):
    path = tmp_path / "d.inp"
    path.write_text(GOOD + extra)
    with pytest.raises(InputError, match=BAD[extra]) as caught:
        read_deck(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"deck '{path}': ")


def test_good_deck_and_other_refusals(tmp_path):
    path = tmp_path / "d.inp"
    path.write_text(GOOD)
    assert read_deck(path).stiffness.shape == (12, 12)
    path.write_text(GOOD + "*STEP\n*STATIC\n*CLOAD\n1, 1, 5.\n*END STEP\n")
    with pytest.warns(UserWarning, match=r"not read: \*CLOAD \(line 21 .*belong to the system"):
        read_deck(path)
    path.write_text(GOOD.replace("C3D4", "C3D4H"))
    with pytest.warns(UserWarning, match="elements C3D4H are read as C3D4, with full integration"):
        read_deck(path)
    with pytest.raises(InputError, match="invalid units = inch: expected one of m, mm"):
        read_deck(path, "inch")
    with pytest.raises(InputError, match="does not exist"):
        read_deck(tmp_path / "none.inp")
    path.write_text(GOOD.replace("*SOLID SECTION, ELSET=ALL, MATERIAL=M\n", ""))
    with pytest.raises(InputError, match="elements C3D4 have no \\*SOLID SECTION"):
        read_deck(path)
    path.write_text(GOOD + "*ELEMENT, TYPE=C3D10\n7,1,2,3,4,1,2,3,4,1,2\n")
    with pytest.raises(InputError, match="elements C3D4 and C3D10 share nodes"):
        read_deck(path)


CAE = """*Heading
** written by a pre-processor
*Part, name=PART-1
*Node
      1,   0.,  0.,  0.
      2,  10.,  0.,  0.
      3,   0., 10.,  0.
      4,   0.,  0., 10.
*Element, type=C3D4
1, 1, 2, 3, 4
*Nset, nset=Set-1, generate
 1,  4,  1
*Elset, elset=Set-1
 1,
*Solid Section, elset=Set-1, material=STEEL
,
*End Part
*Assembly, name=Assembly
*Instance, name=PART-1-1, part=PART-1
*End Instance
*Nset, nset=fix, instance=PART-1-1
 1,
*End Assembly
*Material, name=STEEL
*Density
 7.8e-09,
*Elastic
210000., 0.3
*Step, name=Step-1, nlgeom=NO
*Static
1., 1., 1e-05, 1.
*Boundary
fix, ENCASTRE
*Restart, write, frequency=0
*Output, field, variable=PRESELECT
*End Step
*Step, name=Step-2
*Boundary, op=NEW
fix, 1, 1
*End Step
"""


def test_deck_of_a_pre_processor(tmp_path):
    """Part, instance, assembly and steps; supports are those of the first step."""
    path = tmp_path / "cae.inp"
    path.write_text(CAE)
    with pytest.warns(UserWarning, match=r"not read: \*BOUNDARY of a later step \(line 38 "):
        model = read_deck(path, "mm")
    assert len(model.free) == 9
    x = model.rigid_body_modes()[:, 0]
    assert x @ model.mass @ x == pytest.approx(7800.0 * 1e-6 / 6.0)


def calculix(path, count):
    """Frequencies in Hz of a deck with a frequency step."""
    subprocess.run(["ccx", "-i", path.stem], cwd=path.parent, check=True, capture_output=True)
    rows = []
    for line in path.with_suffix(".dat").read_text().splitlines():
        words = line.split()
        if len(words) == 5 and words[0].isdigit():
            rows.append(float(words[3]))
        if "P A R T I C I P A T I O N" in line:
            break
    return np.array(rows[:count])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ccx") is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("joined", ["tie", "equation", "rigid body"])
def test_calculix(tmp_path, joined):
    """The same file in CalculiX: equations, rigid bodies to 1e-5, its node-to-face tie to 0.2 %."""
    low = solid("hexS2", (6, 2, 1))
    high = solid("hexS2", (6, 2, 1) if joined == "equation" else (9, 3, 2), (0.0, 0.0, 0.02))
    deck = Writer()
    first = deck.add(low, "LOW")
    deck.surface("MAIN", low, "z_max")
    second = deck.add(high, "HIGH")
    deck.surface("SECOND", high, "z_min")
    if joined == "equation":
        below, above = on_face(low, 2, 0.02), on_face(high, 2, 0.02)
        order = [
            above[np.argmin(np.abs(high.nodes[above] - low.nodes[n]).sum(axis=1))] for n in below
        ]
        for n, m in zip(below, order, strict=True):
            for k in (1, 2, 3):
                deck.lines += [
                    "*EQUATION",
                    "2",
                    f"{m + second + 1}, {k}, 1., {n + first + 1}, {k}, -1.",
                ]
    else:
        deck.lines += ["*TIE, NAME=BOND, POSITION TOLERANCE=1e-3", "SECOND, MAIN"]
    if joined == "rigid body":
        deck.lines = [line for line in deck.lines if not line.startswith("*TIE")]
        deck.lines = [line for line in deck.lines if line != "SECOND, MAIN"]
        nodes = [*(on_face(low, 0, 0.1) + first + 1), *(on_face(high, 0, 0.1) + second + 1)]
        deck.nset("ENDS", nodes)
        deck.lines += ["*NODE", "5, 0.1, 0.015, 0.02", "6, 0.1, 0.015, 0.02"]
        deck.lines += ["*RIGID BODY, NSET=ENDS, REF NODE=5, ROT NODE=6"]
    deck.material()
    deck.lines += ["*BOUNDARY"]
    for body, before in ((low, first), (high, second)):
        on = on_face(body, 0, 0.0)
        if joined != "rigid body" and body is high:  # CalculiX refuses supports of tied nodes
            on = on[np.abs(high.nodes[on, 2] - 0.02) > 1e-9]
        deck.lines += [f"{n + before + 1}, 1, 3" for n in on]
    deck.lines += ["*STEP", "*FREQUENCY", "6", "*END STEP"]
    path = deck.write(tmp_path / "job.inp")
    ours = Flexibility(read_deck(path)).modes(6)[0] / (2.0 * np.pi)
    theirs = calculix(path, 6)
    np.testing.assert_allclose(ours, theirs, rtol=2e-3 if joined == "tie" else 1e-5)
