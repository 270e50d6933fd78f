"""Reduced elastic rotor in large rotation, without and with 500 friction points: against Exudyn.

A steel disc of 200 mm, 5 mm thick, of 20-node hexahedra, reduced to its lowest free modes, spins at
300 rad/s on spring-dampers at the two ends of its axis; at the start it moves sideways and tilts,
so that it whirls, nutates and rings. Both programs get the same mass, stiffness and mode matrices:
Exudyn's `ObjectFFRFreducedOrder` computes its inertia terms in C++. Geometric stiffness is off, as
Exudyn has none. The elastic coordinates are the same ones in both.

With friction, nodes of the lower face are pressed on a plane at rest: penalty with damping, Coulomb
friction that grows linearly up to a slip of 0.05 m/s. In Exudyn each point has a marker and a
sphere in its `GeneralContact`, the fastest native element for it; it has no bristles in space. Ours
has the same law as a table of mu over the slip.

"Exudyn implicit" is the generalised-alpha method with the modified Newton method, dense matrices
and the rotation vector as a Lie group, the fastest of its formulations that gives the motion of the
others; ours has the same method and spectral radius. Its explicit methods stand beside. The
reference is scipy's DOP853 on the rate form of ours, rtol 1e-10 (with friction 1e-7): a third
integrator; that both programs tend to it shows that the models are the same. The error is the root
mean square of the displacement of an end of the axis, and of the elastic coordinates, over 20
times, each relative to its largest value; the larger one counts.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy.sparse as sp
from harness import OURS, Column, Growth, Question, Row, cpu, kept, ratio_at_equal_error
from oscillators import exudyn_settings

RADIUS, THICKNESS = 0.1, 0.005
SPIN, SIDEWAYS, TILTING = 300.0, 0.2, 2.0
STIFFNESS, DAMPING = (2e6, 2e6, 5e6), (50.0,) * 3
"""Spring-dampers at the ends of the axis."""
PENALTY, NORMAL_DAMPING, MU, ZONE = 1e10, 1e4, 0.3, 0.05
"""Of the face, per area; and the slip up to which friction grows."""
DEPTH, BALL = 2e-6, 2e-3
"""Depth of the face in the plane, and radius of Exudyn's spheres, in m."""
SPAN, OUTPUTS, RHO = 1e-3, 20, 0.9
STEPS = (2e-5, 1e-5, 5e-6, 2e-6)
EXUDYN = {"Exudyn implicit": "GeneralizedAlpha", "Exudyn Verlet": "VelocityVerlet",
          "Exudyn RK44": "RK44"}  # fmt: skip


@dataclass(frozen=True)
class Rotor:
    """Finite elements, reduced model, ends of the axis, points of the face with their area."""

    solid: object
    model: object
    ends: np.ndarray
    face: np.ndarray
    area: float


@cache
def rotor(modes: int, points: int) -> Rotor:
    """The disc, with this many modes and points on its face."""
    import fecontact as fc

    mesh = fc.solid_disc(RADIUS, 0.0, THICKNESS, radial=5, circumferential=32)
    solid = fc.ElasticSolid(mesh, fc.STEEL)
    model = fc.reduce_model(solid, modes=modes, method="free")
    x = solid.nodes
    axis = np.flatnonzero(np.hypot(x[:, 0], x[:, 1]) < 1e-9)
    ends = axis[np.argsort(x[axis, 2])][[0, -1]]
    lower = np.flatnonzero(np.abs(x[:, 2]) < 1e-9)
    face = lower[np.linspace(0, len(lower) - 1, points).astype(int)]
    return Rotor(solid, model, ends, face, np.pi * RADIUS**2 / max(points, 1))


def system(modes: int, points: int):
    """Body and system of ours, and its start."""
    import fecontact as fc

    made = rotor(modes, points)
    x, model = made.solid.nodes, made.model
    ends = {f"end {k}": tuple(x[node]) for k, node in enumerate(made.ends)}
    body = fc.ElasticBody("rotor", model, geometric_stiffness=False, points=ends)
    turning = (0.0,) * 3
    items = [
        fc.Bushing(None, body, STIFFNESS + turning, DAMPING + turning, point=name, name=name)
        for name in ends
    ]
    if points:
        shapes = model.basis.reshape(-1, 3, model.size)[made.face][:, :, model.rigid :]
        surface = fc.Surface(x[made.face], np.full(points, made.area), shapes)
        law = fc.FrictionTable(np.array([0.0, ZONE, 1e3]), np.array([0.0, MU, MU]))
        plane = fc.RigidFace(None, fc.Plane((0.0, 0.0, DEPTH)))
        laws = fc.PenaltyNormal(PENALTY, NORMAL_DAMPING), fc.CoulombSliding(law)
        items.append(fc.ContactPair(body, surface, plane, *laws, name="face"))
    made_system = fc.System([body], items)
    speeds = {"rotor.ux": SIDEWAYS, "rotor.rx": TILTING, "rotor.rz": SPIN}
    return body, made_system, made_system.state(v=speeds)


def moved(modes: int, points: int, span: float, method: str, most: float = 10.0, **options):
    """CPU time of a run of ours; displacement of the end (k, 3), elastic coordinates (k, m)."""
    import fecontact as fc

    body, moving, start = system(modes, points)
    times, results = span * np.arange(1, OUTPUTS + 1) / OUTPUTS, []

    def run(until):
        results.append(fc.simulate(moving, until[-1], start, method, until, **options))

    spent = cpu(lambda: run(times), lambda: run(times[:1]), most=most)
    path = (
        results[-1].path(body, "end 0")[1:]
        - rotor(modes, points).solid.nodes[rotor(modes, points).ends[0]]
    )
    return spent, path, results[-1].q[1:, 7:]


def exudyn(kind: str, modes: int, points: int, span: float, step: float):
    """CPU time of a run; displacement of the end (k, 3), elastic coordinates (k, m)."""
    import exudyn as exu
    from exudyn import FEM

    items = importlib.import_module("exudyn.itemInterface")

    made = rotor(modes, points)
    x, model = made.solid.nodes, made.model
    mbs = exu.SystemContainer().AddSystem()
    fem = FEM.FEMinterface()
    fem.nodes = {"Position": x}
    fem.massMatrix = sp.csr_matrix(made.solid.mass)
    fem.stiffnessMatrix = sp.csr_matrix(made.solid.stiffness)
    elastic = np.ascontiguousarray(model.basis[:, model.rigid :])
    fem.modeBasis = {"matrix": elastic, "type": "NormalModes"}
    reduced = FEM.ObjectFFRFreducedOrderInterface(fem, "NodeType.RotationRotationVector")
    speeds = {"initialVelocity": [SIDEWAYS, 0, 0], "initialAngularVelocity": [TILTING, 0, SPIN]}
    numbers = reduced.AddObjectFFRFreducedOrder(mbs, **speeds)
    body, ground = numbers["oFFRFreducedOrder"], mbs.AddObject(items.ObjectGround())

    def marker(node):
        own = {"meshNodeNumbers": [int(node)], "weightingFactors": [1.0]}
        return mbs.AddMarker(items.MarkerSuperElementPosition(bodyNumber=body, **own))

    for node in made.ends:
        fixed = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=x[node]))
        both = [fixed, marker(node)]
        mbs.AddObject(items.CartesianSpringDamper(markerNumbers=both, stiffness=list(STIFFNESS),
                                                 damping=list(DAMPING)))  # fmt: skip
    if points:
        contact = mbs.AddGeneralContact()
        contact.SetFrictionPairings(np.array([[MU]]))
        contact.frictionProportionalZone, contact.sphereSphereContact = ZONE, False
        contact.SetSearchTreeCellSize([16, 16, 1])
        contact.SetSearchTreeBox([-0.12, -0.12, -0.01], [0.12, 0.12, 0.01])
        stiffness = 2.0 * PENALTY * made.area  # the stiffnesses of both sides act in series
        for node in made.face:
            contact.AddSphereWithMarker(marker(node), BALL, stiffness,
                                        NORMAL_DAMPING * made.area, 0)  # fmt: skip
        low = DEPTH - BALL
        corners = [[-1.01, -0.6, low], [1.03, -0.6, low], [0.013, 1.2, low]]
        plane = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground))
        contact.AddTrianglesRigidBodyBased(plane, stiffness, 0.0, 0, corners, [[0, 1, 2]], True)
    variable = exu.OutputVariableType
    sensors = [
        mbs.AddSensor(items.SensorSuperElement(
            bodyNumber=body, meshNodeNumber=int(made.ends[0]), storeInternal=True,
            outputVariableType=variable.Displacement)),
        mbs.AddSensor(items.SensorNode(
            nodeNumber=numbers["nGenericODE2"], storeInternal=True,
            outputVariableType=variable.Coordinates)),
    ]  # fmt: skip
    mbs.Assemble()
    settings = exudyn_settings(exu, span, step, span / OUTPUTS)
    settings.timeIntegration.generalizedAlpha.spectralRadius = RHO
    settings.timeIntegration.solverType = getattr(exu.DynamicSolverType, kind)
    settings.linearSolver.solverType = exu.LinearSolverType.EXUdense
    spent = cpu(lambda: mbs.SolveDynamic(settings))
    end, coordinates = (mbs.GetSensorStoredData(each)[1:, 1:] for each in sensors)
    return spent, end, coordinates[:, : model.size - model.rigid]


def reference(modes: int, points: int, span: float) -> list[np.ndarray]:
    """Displacement of the end and elastic coordinates by a third integrator."""
    rtol = 1e-7 if points else 1e-10
    options = {"solver": "DOP853", "rtol": rtol, "atol": 1e-6 * rtol, "most": 0.0}
    run = lambda: moved(modes, points, span, "ode", **options)[1:]  # noqa: E731
    return kept(__file__, f"{modes}-{points}-{span:g}", run)


def measure(program: str, modes: int, points: int, step: float, span: float = SPAN) -> Row:
    """CPU time, steps per second and error of one program."""
    if program in EXUDYN:
        spent, *found = exudyn(EXUDYN[program], modes, points, span, step)
    else:
        options = {"step": step} | ({"rho_inf": RHO} if program.endswith("implicit") else {})
        spent, *found = moved(modes, points, span, program.split()[1], **options)
    exact = reference(modes, points, span)
    errors = [
        np.sqrt(np.mean(np.sum((a - b) ** 2, axis=1))) / np.linalg.norm(b, axis=1).max()
        for a, b in zip(found, exact, strict=True)
    ]
    steps = round(span / step)
    return {"cpu": spent, "steps": steps, "rate": steps / spent, "error": float(max(errors))}


def remarks(rows: list[Row]) -> list[str]:
    """Ratios at equal error."""
    found = []
    for points in sorted({row["points"] for row in rows}):
        own = [r for r in rows if r["points"] == points and r["modes"] == 20]
        mine = [r for r in own if r["program"].startswith(OURS)]
        for peer in EXUDYN:
            other = [r for r in own if r["program"] == peer and r["error"] < 1.0]
            if ratio := ratio_at_equal_error(mine, other):
                found.append(f"{points} points, {peer}: {ratio[0]:.3g} (error {ratio[1]:.0e})")
    return ["CPU time of ours over Exudyn's at equal error: " + "; ".join(found) + "."] * bool(
        found
    )


PROGRAMS = (f"{OURS} implicit", *EXUDYN)
QUESTION = Question(
    name="rotor",
    measure=measure,
    cases=tuple(
        {"program": program, "modes": modes, "points": points, "step": step}
        for points in (0, 500)
        for program in PROGRAMS
        for modes, steps in ((20, STEPS), (10, (1e-5,)), (40, (1e-5,)))
        for step in steps
        if modes == 20 or "implicit" in program
    ),
    smoke=tuple(
        {"program": program, "modes": 4, "points": points, "step": 1e-5, "span": 2e-4}
        for program in (f"{OURS} implicit", "Exudyn implicit")
        for points in (0, 20)
    ),
    columns=(
        Column("points", "points"),
        Column("modes", "modes"),
        Column("program", "program"),
        Column("step", "step, s"),
        Column("rate", "steps/s", ",.0f"),
        Column("cpu", "CPU s", ".3g"),
        Column("error", "error", ".1e"),
    ),
    growths=tuple(
        Growth("cpu", "error", ("program",), ("CPU time / s", f"error, {points} points"),
               {"points": points, "modes": 20}, exponent=False)
        for points in (0, 500)
    ),
    remarks=remarks,
)  # fmt: skip
