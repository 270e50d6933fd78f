"""Masses on springs with a bristle each, fixed implicit steps: against Exudyn.

One mass, or a chain of ten, each on a spring and a damper, pressed on the ground with a constant
force: an elasto-plastic bristle (Jenkins element). `free`: let go with a speed, friction brings it
to rest. `forced`: a harmonic force on the first mass, stick and slip in every period. Exudyn has
the law as a compiled element, `CoordinateSpringDamperExt`; its force over time is a symbolic user
function, which it evaluates without Python. Both use the generalised-alpha method with the same
spectral radius and fixed steps; Exudyn with its modified Newton method and dense solver. The
reference goes from switch to switch by scipy's DOP853 with rtol 1e-12. The error is the root mean
square over 50 times and all masses, relative to the largest displacement of the reference.
"""

from __future__ import annotations

import importlib
from functools import cache

import numpy as np
from harness import OURS, Column, Growth, Question, Row, cpu, ratio_at_equal_error
from scipy.integrate import solve_ivp

MASS, SPRING, DAMPER, COUPLING = 1.0, 1e4, 2.0, 5e3
BRISTLE, LIMIT = 1e5, 5.0
SPEED, FORCE, OMEGA = 1.0, 20.0, 70.0
"""Speed at the start of the free vibration; force in N and its frequency in rad/s."""
SPAN, OUTPUTS = 0.5, 50
RADIUS = 0.9
"""Spectral radius at infinity of the generalised-alpha method."""
STEPS = (1e-3, 5e-4, 2e-4, 1e-4, 5e-5)


def outputs(span: float) -> np.ndarray:
    """Output times up to a span."""
    times = SPAN * np.arange(1, OUTPUTS + 1) / OUTPUTS
    return times[times <= span * (1.0 + 1e-12)]


def start_speeds(masses: int, motion: str) -> np.ndarray:
    """Speeds (n,) at the start."""
    return (SPEED if motion == "free" else 0.0) * (1.0 - 0.05 * np.arange(masses))


@cache
def reference(masses: int, motion: str, times: tuple[float, ...]) -> np.ndarray:
    """Displacements (k, n) at ascending times, from switch to switch."""
    K = np.diag(np.full(masses, SPRING))
    for i in range(masses - 1):
        K[i : i + 2, i : i + 2] += COUPLING * np.array([[1.0, -1.0], [-1.0, 1.0]])
    amplitude = np.zeros(masses)
    amplitude[0] = FORCE if motion == "forced" else 0.0
    slides, anchor = np.zeros(masses), np.zeros(masses)  # direction of slip, 0: sticks
    y, t = np.concatenate([np.zeros(masses), start_speeds(masses, motion)]), 0.0
    found: list[np.ndarray] = []

    def rate(t, y):
        x, v = np.split(y, 2)
        friction = np.where(slides == 0.0, BRISTLE * (x - anchor), slides * LIMIT)
        force = amplitude * np.sin(OMEGA * t) - K @ x - DAMPER * v - friction
        return np.concatenate([v, force / MASS])

    def switches():
        """A function of (t, y) for each mass that rises through zero as its status changes."""
        for i in range(masses):
            if slides[i]:
                yield lambda t, y, i=i: -slides[i] * y[masses + i]
            else:
                yield lambda t, y, i=i: BRISTLE * abs(y[i] - anchor[i]) - LIMIT

    while t < times[-1]:
        events = list(switches())
        for event in events:
            event.terminal, event.direction = True, 1
        options = {"rtol": 1e-12, "atol": 1e-15, "max_step": 1e-3, "dense_output": True}
        path = solve_ivp(rate, (t, times[-1]), y, "DOP853", events=events, **options)
        found += [path.sol(each)[:masses] for each in times if t < each <= path.t[-1]]
        t, y = path.t[-1], path.y[:, -1]
        for i, instants in enumerate(path.t_events):
            if len(instants):
                if slides[i]:
                    anchor[i], slides[i] = y[i] - slides[i] * LIMIT / BRISTLE, 0.0
                else:
                    slides[i] = np.sign(y[i] - anchor[i])
    return np.array(found)


def chain(masses: int, motion: str):
    """System of ours."""
    import fecontact as fc

    depth, stiffness, mu = 1e-3, 1e6, LIMIT / 1e3
    foot = fc.Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1))
    ground = fc.RigidFace(None, fc.Plane())
    bodies, items = [], []
    for i in range(masses):
        body = fc.RigidBody(f"mass {i}", MASS, ("ux",), position=(float(i), 0.0, 0.0))
        laws = fc.PenaltyNormal(stiffness), fc.ElastoPlastic(mu, BRISTLE)
        items.append(fc.ContactPair(body, foot, ground, *laws, name=f"bristle {i}"))
        bearing = fc.Bearing(body, SPRING, SPRING, DAMPER, DAMPER, name=f"spring {i}")
        items.append(bearing)
        if bodies:
            sides = bodies[-1], body
            items.append(fc.SpringDamper(*sides, COUPLING, name=f"coupling {i}"))
        bodies.append(body)
    if motion == "forced":
        items.append(fc.Force(bodies[0], (FORCE, 0.0, 0.0), factor=fc.Sine(1.0, OMEGA)))
    return fc.System(bodies, items)


def ours(masses: int, motion: str, step: float, span: float) -> tuple[float, np.ndarray]:
    """CPU time of a run, and displacements (k, n)."""
    import fecontact as fc

    system = chain(masses, motion)
    speeds = start_speeds(masses, motion)
    start = system.state(v={f"mass {i}.ux": float(v) for i, v in enumerate(speeds)})
    times = outputs(span)

    def run(until):
        options = {"step": step, "rho_inf": RADIUS}
        results.append(fc.simulate(system, until[-1], start, "implicit", until, **options))

    results = []
    spent = cpu(lambda: run(times), lambda: run(times[:1]))
    return spent, results[-1].q[1:]


def exudyn(masses: int, motion: str, step: float, span: float) -> tuple[float, np.ndarray]:
    """CPU time of a run, and displacements (k, n)."""
    import exudyn as exu

    items = importlib.import_module("exudyn.itemInterface")
    from exudyn.utilities import CreateSymbolicUserFunction

    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddNode(items.NodePointGround())
    held = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    markers, sensors = [], []
    for speed in start_speeds(masses, motion):
        node = mbs.AddNode(items.Node1D(referenceCoordinates=[0.0], initialVelocities=[speed]))
        mbs.AddObject(items.ObjectMass1D(mass=MASS, nodeNumber=node))
        marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        data = items.NodeGenericData(initialCoordinates=[0.0] * 3, numberOfDataCoordinates=3)
        friction = {"dynamicFrictionForce": LIMIT, "stickingStiffness": BRISTLE}
        spring = {"stiffness": SPRING, "damping": DAMPER, "nodeNumber": mbs.AddNode(data)}
        mbs.AddObject(items.CoordinateSpringDamperExt(markerNumbers=[held, marker], **spring,
                                                     **friction))  # fmt: skip
        if markers:
            both = [markers[-1], marker]
            mbs.AddObject(items.CoordinateSpringDamper(markerNumbers=both, stiffness=COUPLING))
        markers.append(marker)
        kind = exu.OutputVariableType.Coordinates
        sensors.append(mbs.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=kind,
                                                     storeInternal=True)))  # fmt: skip
    if motion == "forced":
        load = mbs.AddLoad(items.LoadCoordinate(markerNumber=markers[0], load=1.0))
        sine = lambda mbs, t, load: FORCE * exu.symbolic.sin(OMEGA * t)  # noqa: E731
        symbolic = CreateSymbolicUserFunction(mbs, sine, "loadUserFunction", load)
        mbs.SetLoadParameter(load, "loadUserFunction", symbolic)
    mbs.Assemble()
    settings = exudyn_settings(exu, span, step, SPAN / OUTPUTS)
    settings.linearSolver.solverType = exu.LinearSolverType.EXUdense
    settings.timeIntegration.discontinuous.iterationTolerance = 1e-3
    spent = cpu(lambda: mbs.SolveDynamic(settings))
    return spent, np.column_stack([mbs.GetSensorStoredData(each)[1:, 1] for each in sensors])


def exudyn_settings(exu, span: float, step: float, output: float):
    """Settings of a silent run with fixed steps of the generalised-alpha method."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(span / step)
    settings.timeIntegration.endTime = span
    settings.timeIntegration.generalizedAlpha.spectralRadius = RADIUS
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = output
    settings.show.computationTime = False
    return settings


def measure(program: str, masses: int, motion: str, step: float, span: float = SPAN) -> Row:
    """CPU time, steps per second and error of one program."""
    spent, found = (ours if program == OURS else exudyn)(masses, motion, step, span)
    exact = reference(masses, motion, tuple(outputs(span)))
    error = np.sqrt(np.mean((found - exact) ** 2)) / np.abs(exact).max()
    steps = round(span / step)
    return {"cpu": spent, "steps": steps, "rate": steps / spent, "error": float(error)}


def remarks(rows: list[Row]) -> list[str]:
    """Ratios at equal error."""
    found = []
    for masses, motion in ((1, "free"), (1, "forced"), (10, "free"), (10, "forced")):
        own = [r for r in rows if (r["masses"], r["motion"]) == (masses, motion)]
        sides = [[r for r in own if r["program"] == p] for p in (OURS, "Exudyn")]
        if all(sides) and (ratio := ratio_at_equal_error(*sides)):
            found.append(f"{masses} {motion}: {ratio[0]:.3g} (error {ratio[1]:.0e})")
    return ["CPU time of ours over Exudyn's at equal error: " + "; ".join(found) + "."] * bool(
        found
    )


CASES = tuple(
    {"program": program, "masses": masses, "motion": motion, "step": step}
    for masses in (1, 10)
    for motion in ("free", "forced")
    for program in (OURS, "Exudyn")
    for step in (STEPS if masses == 1 else STEPS[:-1])
)
QUESTION = Question(
    name="oscillators",
    measure=measure,
    cases=CASES,
    smoke=tuple(
        {"program": program, "masses": masses, "motion": motion, "step": 5e-4, "span": 0.02}
        for program in (OURS, "Exudyn")
        for masses, motion in ((1, "forced"), (2, "free"))
    ),
    columns=(
        Column("masses", "masses"),
        Column("motion", "motion"),
        Column("program", "program"),
        Column("step", "step, s"),
        Column("rate", "steps/s", ",.0f"),
        Column("cpu", "CPU s", ".3g"),
        Column("error", "error", ".1e"),
    ),
    growths=tuple(
        Growth("cpu", "error", ("program", "masses", "motion"), ("CPU time / s", "error"),
               {"motion": motion}, exponent=False)
        for motion in ("free", "forced")
    ),
    remarks=remarks,
)  # fmt: skip
