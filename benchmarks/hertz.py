"""Hertz contact and partial slip, error over CPU time: against Tamaas and FElupe.

A ball on an elastic half space. "normal": pressed to a contact radius of 1/50 of the ball's.
"partial slip": then sheared with 0.7 of the friction limit, so that a ring slips around a disc that
sticks (Cattaneo, Mindlin). The error is that of the pressure, or of the shear, against the closed
form at the forces that the program finds: root mean square over the contact, relative to that of
the closed form. `radius` is the error of the contact radius, or of the stick radius, from second
moments, relative to the contact radius; `approach` that of the approach.

    fecontact  finite elements: a quarter block of 20-node hexahedra, penalty at Gauss points; the
               half space condensed on the contact for partial slip (two equal bodies, as in
               `cases/classic/cattaneo_mindlin`)
    Tamaas     boundary elements of the half space itself, FFT: PolonskyKeerRey without periodic
               images; for friction PolonskyKeerTan, the fastest of its solvers that converged, on
               a period of eight contact radii, as it has no other operator there
    FElupe     finite elements: block of 8-node hexahedra with the ball's shape on a rigid plane,
               PARDISO; for partial slip half a block of nearly incompressible material, as only
               that decouples pressure and shear on a rigid plane

Meshes of both finite-element programs are graded alike. All times include assembly and
factorisation. Boundary elements solve this question and nothing but half spaces: they are the
limit.
"""

from __future__ import annotations

import numpy as np
from harness import OURS, Column, Growth, Question, Row, cpu

RADIUS, TOUCH, YOUNG, POISSON = 0.01, 2e-4, 210e9, 0.3
MU, SHEAR = 0.3, 0.7
FAR = 100.0
"""Edge of the block in contact radii."""
NEAR = 1.4
"""Points up to so many contact radii may touch."""
SIZES = {
    (OURS, "normal"): (6, 8, 10, 14),
    ("FElupe", "normal"): (8, 12, 16, 20),
    ("Tamaas", "normal"): (32, 64, 128, 256),
    (OURS, "partial slip"): (6, 8, 10, 14),
    ("FElupe", "partial slip"): (8, 12),
    ("Tamaas", "partial slip"): (32, 64, 128),
}


def hertz(r: np.ndarray, force: float, modulus: float, radius: float):
    """Pressure (k,) at the radii r, contact radius and approach, for the modulus E*."""
    approach = (3.0 * force / (4.0 * modulus * np.sqrt(radius))) ** (2.0 / 3.0)
    touch = np.sqrt(radius * approach)
    peak = 2.0 / np.pi * modulus * np.sqrt(approach / radius)
    return peak * np.sqrt(np.maximum(0.0, 1.0 - (r / touch) ** 2)), touch, approach


def mindlin(r: np.ndarray, force: float, shear: float, modulus: float, radius: float):
    """Shear stress (k,) at the radii r (Cattaneo 1938)."""
    pressure, touch, approach = hertz(r, force, modulus, radius)
    peak = 2.0 / np.pi * modulus * np.sqrt(approach / radius)
    stick = touch * (1.0 - shear / (MU * force)) ** (1.0 / 3.0)
    inner = np.sqrt(np.maximum(0.0, 1.0 - (r / stick) ** 2)) * stick / touch
    return MU * (pressure - peak * inner)


def errors(r, weights, pressure, shear, force, tangential, modulus, radius) -> Row:
    """Errors of the field and of the radius at points of a whole contact, or of a part of it.

    Without shear they are those of the pressure and of the contact radius; else those of the shear
    and of the stick radius, relative to the contact radius. Radii follow from second moments: those
    of p, and of the friction mu p - |q| that is left, have the shape of Hertz's pressure.
    """
    exact, touch, _ = hertz(r, force, modulus, radius)
    found, left, goal = pressure, pressure, touch
    if tangential:
        exact = mindlin(r, force, tangential, modulus, radius)
        found, left = shear, MU * pressure - shear
        goal = touch * (1.0 - tangential / (MU * force)) ** (1.0 / 3.0)
    moment = np.sqrt(2.5 * (weights @ (left * r**2)) / (weights @ left))
    field = np.sqrt(weights @ (found - exact) ** 2 / (weights @ exact**2))
    return {"error": float(field), "radius": float(abs(moment - goal) / touch)}


def ours_normal(cells: int) -> Row:
    """Ball on a quarter block."""
    import fecontact as fc

    case = fc.load_module("classic/hertz_contact")
    p = case.Hertz(radius=RADIUS, contact_radius=TOUCH, young=YOUNG, poisson=POISSON, far=FAR)
    found = []

    def run(count):
        problem = case.problem(p, count)
        path = fc.load_path(problem, [1.0])
        found.append((problem.pairs[0].surface, path.increments[-1].contacts["contact"]))

    spent = cpu(lambda: run(cells), lambda: run(6))
    surface, last = found[-1]
    r, force = np.hypot(*surface.points[:, :2].T), -4.0 * float(last.force[2])
    modulus = YOUNG / (1.0 - POISSON**2)
    found_errors = errors(r, surface.weights, last.pressure, None, force, 0.0, modulus, RADIUS)
    approach = hertz(r, force, modulus, RADIUS)[2]
    return {"cpu": spent, "approach": float(abs(approach / p.depth - 1.0))} | found_errors


def ours_slip(cells: int) -> Row:
    """Two equal bodies, a quarter each, condensed on the contact."""
    import fecontact as fc

    case = fc.load_module("classic/cattaneo_mindlin")
    p = case.Mindlin(radius=RADIUS, contact_radius=TOUCH, mu=MU, shear=SHEAR, far=FAR)
    force = float(p.ball.force(p.depth))
    along = p.slip(force, SHEAR * MU * force, MU).displacement
    found = []

    def run(count):
        body = case.pair(p, count)
        path = case.followed(p, body, np.full(2, p.depth), np.array([0.0, along]))
        found.append((body, path))

    spent = cpu(lambda: run(cells), lambda: run(6))
    body, path = found[-1]
    last, r = path.increments[-1].contacts["contact"], np.hypot(*body.on.points[:, :2].T)
    forces = 4.0 * path.force()[-1]
    modulus = 0.5 * YOUNG / (1.0 - POISSON**2)
    fields = last.pressure, np.abs(last.traction[:, 0])
    loads = -float(forces[2]), abs(float(forces[0]))
    return {"cpu": spent} | errors(r, body.on.weights, *fields, *loads, modulus, RADIUS)


def tamaas(task: str, points: int) -> Row:
    """Boundary elements on points x points, in units of the contact radius and of E*."""
    import tamaas as tm

    tm.set_log_level(tm.LogLevel.error)
    normal = task == "normal"
    poisson, side, radius = (POISSON, 3.0, 50.0) if normal else (0.5, 8.0, 10.0)
    x = (np.arange(points) + 0.5) * side / points - 0.5 * side
    r = np.hypot(*np.meshgrid(x, x, indexing="ij"))
    depth = 1.0 / radius
    force = 4.0 / 3.0 * np.sqrt(radius) * depth**1.5
    kind = tm.model_type.basic_2d if normal else tm.model_type.surface_2d
    found = []

    def run():
        model = tm.ModelFactory.createModel(kind, [side, side], [points, points])
        model.E, model.nu = 1.0 - poisson**2, poisson
        shape = -(r**2) / (2.0 * radius)
        if normal:
            solver = tm.PolonskyKeerRey(model, shape, 1e-8)
            tm.ModelFactory.registerNonPeriodic(model, "dcfft")
            solver.setIntegralOperator("dcfft")
            solver.solve(force / side**2)
        else:
            solver = tm.PolonskyKeerTan(model, shape, 1e-9, MU)
            solver.max_iter = 500
            solver.solve([SHEAR * MU * force / side**2, 0.0, force / side**2])
        found.append(model)

    spent = cpu(run)
    model = found[-1]
    traction, r = np.array(model.traction).reshape(points**2, -1), r.ravel()
    weights = np.full(points**2, (side / points) ** 2)
    if not normal:
        fields = traction[:, 2], np.abs(traction[:, 0])
        loads = force, SHEAR * MU * force
        return {"cpu": spent} | errors(r, weights, *fields, *loads, 1.0, radius)
    model.operators["dcfft"](model.traction, model.displacement)
    inside = traction[:, 0] > 0.5 * traction.max()
    approach = (np.array(model.displacement).ravel() + r**2 / (2.0 * radius))[inside].mean()
    found_errors = errors(r, weights, traction[:, 0], None, force, 0.0, 1.0, radius)
    return {"cpu": spent, "approach": float(abs(approach / depth - 1.0))} | found_errors


def felupe(task: str, cells: int) -> Row:
    """Finite elements: a quarter or, sheared, a half of a block with the shape of the ball."""
    half = task == "partial slip"
    poisson, edge, ratio = 0.4999 if half else POISSON, FAR * TOUCH, 2.5 * FAR
    depth, modulus = TOUCH**2 / RADIUS, YOUNG / (1.0 - poisson**2)
    found = []

    def run():
        import fecontact as fc

        x = fc.divisions(0.0, edge, cells, fc.Towards((0.0, TOUCH), ratio))
        z = -fc.divisions(0.0, edge, cells, fc.Towards((0.0,), ratio))[::-1]
        lines = (np.concatenate([-x[:0:-1], x]) if half else x), x, z
        found.append((lines, *felupe_solution(lines, half, poisson, depth)))

    spent = cpu(run)
    lines, index, loads, r = found[-1]
    weights = np.prod(
        [tributary(line)[i] for line, i in zip(lines, index.T[:2], strict=False)], axis=0
    )
    whole = 2.0 if half else 4.0
    fields = np.abs(loads[:, 2]) / weights, np.abs(loads[:, 0]) / weights
    force, tangential = (whole * float(weights @ field) for field in fields)
    given = (r, weights, *fields, force, tangential if half else 0.0, modulus, RADIUS)
    off = (
        {} if half else {"approach": float(abs(hertz(r, force, modulus, RADIUS)[2] / depth - 1.0))}
    )
    return {"cpu": spent} | off | errors(*given)


def tributary(line: np.ndarray) -> np.ndarray:
    """Lengths (k,) that belong to the nodes of a line."""
    h = np.diff(line)
    return 0.5 * (np.append(h, 0.0) + np.append(0.0, h))


def felupe_solution(lines, half: bool, poisson: float, depth: float):
    """Grid indices (k, 3), loads (k, 3) and radii (k,) of the nodes that may touch."""
    import felupe as fem

    counts = np.array([len(line) for line in lines])
    grid = fem.Cube(n=tuple(counts))
    index = np.rint(grid.points * (counts - 1)).astype(int)
    points = np.column_stack([line[i] for line, i in zip(lines, index.T, strict=True)])
    r, top = np.hypot(points[:, 0], points[:, 1]), index[:, 2] == counts[2] - 1
    points[top, 2] -= np.minimum(r[top], NEAR * TOUCH) ** 2 / (2.0 * RADIUS)
    touching = np.flatnonzero(top & (r < NEAR * TOUCH))
    mesh = fem.Mesh(np.vstack([points, np.zeros(3)]), grid.cells, "hexahedron")
    mesh.points_without_cells = mesh.points_without_cells[:-1]
    field = fem.FieldContainer([fem.Field(fem.RegionHexahedron(mesh), dim=3)])
    if half:
        material = fem.NeoHooke(mu=YOUNG / (2.0 * (1.0 + poisson)))
        bulk = YOUNG / (3.0 * (1.0 - 2.0 * poisson))
        solid = fem.SolidBodyNearlyIncompressible(material, field, bulk=bulk)
    else:
        solid = fem.SolidBody(fem.LinearElastic(E=YOUNG, nu=poisson), field)
    penalties = {"multiplier": 30.0, "multiplier_tangential": 3.0, "items": [solid]}
    plane = fem.ContactRigidPlane(field, touching, -1, normal=[0.0, 0.0, -1.0],
                                  friction=MU if half else 0.0, **penalties)  # fmt: skip
    nodes = np.append(index, [[-1, -1, -1]], axis=0)
    centre = np.arange(len(nodes)) == len(points)

    def held(mask, *axes):
        return fem.Boundary(field[0], mask=mask, skip=tuple(int(i not in axes) for i in range(3)))

    bounds = {"symmetry": held(nodes[:, 1] == 0, 1), "ground": held(nodes[:, 2] == 0, 0, 1, 2)}
    bounds |= {"across": held(centre, 1), "along": held(centre, 0), "down": held(centre, 2)}
    if not half:
        bounds["plane"] = held(nodes[:, 0] == 0, 0)
    down, along = np.array([0.0, 0.5, 1.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.0, 0.5, 1.0])
    if not half:
        down, along = down[:3], along[:3]
    force, touch = 4.0 / 3.0 * YOUNG / (1.0 - poisson**2) * np.sqrt(RADIUS) * depth**1.5, TOUCH
    full = 3.0 * MU * force * (2.0 - poisson) * 2.0 * (1.0 + poisson) / (16.0 * YOUNG * touch)
    shear = full * (1.0 - (1.0 - SHEAR) ** (2.0 / 3.0))
    ramp = {bounds["down"]: -depth * down, bounds["along"]: shear * along}
    steps = [fem.Step([solid, plane], boundaries=bounds, ramp=ramp)]
    job = fem.Job(steps, plugins=[fem.CutbackPlugin()])
    job.evaluate(solver=sparse_solver(), verbose=0, tol=1e-6)
    loads = plane.results.force.toarray().reshape(-1, 3)[touching]
    return index[touching], loads, r[touching]


def sparse_solver():
    """PARDISO if it is installed, else scipy's SuperLU."""
    try:
        from pypardiso import spsolve
    except ImportError:
        from scipy.sparse.linalg import spsolve
    return spsolve


def measure(program: str, task: str, size: int) -> Row:
    """CPU time and error of one program."""
    if program == OURS:
        return (ours_normal if task == "normal" else ours_slip)(size)
    return (tamaas if program == "Tamaas" else felupe)(task, size)


TASKS = ("normal", "partial slip")
QUESTION = Question(
    name="hertz",
    measure=measure,
    cases=tuple(
        {"program": program, "task": task, "size": size}
        for (program, task), sizes in SIZES.items()
        for size in sizes
    ),
    smoke=tuple(
        {"program": program, "task": task, "size": {OURS: 6, "Tamaas": 16, "FElupe": 8}[program]}
        for program, task in SIZES
    ),
    columns=(
        Column("task", "task"),
        Column("program", "program"),
        Column("size", "cells or points along an edge"),
        Column("cpu", "CPU s", ".3g"),
        Column("error", "error", ".1e"),
        Column("radius", "radius", ".0e"),
        Column("approach", "approach", ".0e"),
        Column("GB", "GB", ".2f"),
    ),
    growths=tuple(
        Growth("cpu", "error", labels=("CPU time / s", f"error, {task}"), where={"task": task},
               exponent=False)
        for task in TASKS
    ),
)  # fmt: skip
