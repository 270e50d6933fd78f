"""Stability map of the elastic disc: against a bare eigenvalue call and a skilled user's script.

The disc of Jehle's figure 7.6 on his Ritz basis (clutch 3 dofs, plate with 4 or 6 harmonics: 12 or
16 in all), over bearing stiffness and plate speed. A point makes the system, finds its steady
state, linearises it and computes all eigenvalues.

    fecontact    `evaluate_points`, the loop of a map without its refinement, on systems that
                 `System.with_parameters` varies; "built" on those that the case builds each time
    numpy        a script for this one system: forces of all ring points in one array expression,
                 tangents by complex steps, Newton's method for the steady state; many speeds at
                 once, each linearised once for all bearing stiffnesses; then
                 `numpy.linalg.eigvals` on all matrices
    eigvals      the bare LAPACK call, `scipy.linalg.eigvals` of a matrix of that size

Both programs find the growth rates of each other to the error given, relative to the frequency; the
script is written from the equations of the source and of `docs/theory.md`. "boundary" is the
refined map of 256 x 256 cells from a seed of 16 x 16 by `stability_map`; the script has no
refinement and computes 257 x 257 points. "line", "sweep" and "tracked" are points of the map along
one line of speeds, `sweep` with complex modes, and `track_modes`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from harness import OURS, Column, Growth, Question, Row, cpu

STIFFNESS, SPEED = (28e6, 36e6), (310.0, 480.0)
LOOKS = 9
"""Points at which growth rates are compared."""


def places(count: int) -> np.ndarray:
    """About `count` points (k, 2) of the plane: stiffness and speed."""
    side = max(1, round(np.sqrt(count)))
    c, s = np.meshgrid(np.linspace(*STIFFNESS, side), np.linspace(*SPEED, side))
    return np.column_stack([c.ravel(), s.ravel()])


class Script:
    """The numpy script: one object for one number of harmonics.

    Coordinates are u_x, u_y, u_z of the clutch disc and the amplitudes of (r_o - r) times 1,
    cos phi, sin phi, cos 2 phi, ... of the plate. Arrays carry the points of the map first, then
    the directions of the complex steps, then the points of the ring.
    """

    R_I, R_O, H, E, NU, RHO = 0.08, 0.12, 0.005, 210e9, 0.3, 7800.0
    D_PLATE, MASS, CLUTCH, AXIAL, D_BEARING = 5e-4, 0.5, 300.0, 3e6, 10.0
    R_C, C_N, D_N, MU, LOAD, RING = 0.1, 12e6, 10.0, 0.3, 5000.0, 24
    RADIAL, TINY = 32e6, 1e-30

    def __init__(self, harmonics: int) -> None:
        self.harmonics = harmonics
        orders = [0] + [k for k in range(1, harmonics + 1) for _ in "cs"]
        self.size = 3 + len(orders)
        x, w = np.polynomial.legendre.leggauss(40)
        r = 0.5 * (self.R_I + self.R_O) + 0.5 * (self.R_O - self.R_I) * x
        w = 0.5 * (self.R_O - self.R_I) * w * r
        f, df, half = self.R_O - r, -1.0, 1.0 - self.NU
        mass, bending = [], []
        for k in orders:
            around = 2.0 * np.pi if k == 0 else np.pi
            hoop, twist = df / r - k**2 * f / r**2, k * (df / r - f / r**2)
            mass.append(around * w @ (self.RHO * self.H * f**2))
            bending.append(around * w @ (hoop**2 + 2.0 * half * twist**2))  # f'' = 0
        rigidity = self.E * self.H**3 / (12.0 * (1.0 - self.NU**2))
        turn = np.zeros((len(orders),) * 2)  # d/dphi of the basis: D W = W turn
        for i in range(1, len(orders), 2):
            turn[i + 1, i], turn[i, i + 1] = -orders[i], orders[i]
        M = np.diag(mass)
        self.turn, self.K, self.C = turn, rigidity * np.diag(bending), np.diag(bending)
        self.gyro, self.spin = M @ turn - (M @ turn).T, turn.T @ M @ turn
        self.M = np.concatenate([np.full(3, self.MASS), mass])
        phi = 2.0 * np.pi * np.arange(self.RING) / self.RING
        self.ring = self.R_C * np.array([np.cos(phi), np.sin(phi)])

    def shapes(self, X, Y):
        """Basis W and its gradient W_x, W_y, a list entry for each amplitude."""
        r = np.sqrt(X * X + Y * Y)
        c, s = X / r, Y / r
        f, over = self.R_O - r, (self.R_O - r) / r
        W, Wx, Wy = [f], [-c], [-s]
        ck, sk = np.ones_like(c), np.zeros_like(s)
        for k in range(1, self.harmonics + 1):
            ck, sk = ck * c - sk * s, sk * c + ck * s
            for value, slope in ((ck, -k * sk), (sk, k * ck)):
                W.append(f * value)
                Wx.append(-value * c - over * slope * s)
                Wy.append(-value * s + over * slope * c)
        return np.array(W), np.array(Wx), np.array(Wy)

    def forces(self, q, v, stiffness, speed):
        """Generalised forces (n, P, d) at q, v (n, P, d); stiffness, speed (P, 1)."""
        u, du, a, da = q[:3], v[:3], q[3:], v[3:]
        material = da + speed * np.tensordot(self.turn, a, 1)
        x = self.ring[0] + u[0][..., None]
        y = self.ring[1] + u[1][..., None]
        z = 0.5 * self.H + u[2][..., None]
        X, Y = x, y  # projection along the normal: x = (X, w) + (h/2 + g) n
        for _ in range(6):
            W, Wx, Wy = self.shapes(X, Y)
            w, wx, wy = (np.einsum("m...r,m...->...r", S, a) for S in (W, Wx, Wy))
            X, Y = x + (z - w) * wx, y + (z - w) * wy
        nz = 1.0 / np.sqrt(1.0 + wx * wx + wy * wy)
        nx, ny = -nz * wx, -nz * wy
        gap = (z - w) / nz - 0.5 * self.H
        # Phi = W e_z - (h/2) n_z (I - n n^T) grad W
        across, lever = nx * Wx + ny * Wy, 0.5 * self.H * nz
        Px, Py, Pz = (
            -lever * (Wx - nx * across),
            -lever * (Wy - ny * across),
            W + lever * nz * across,
        )
        fast = speed[..., None]
        rx = du[0][..., None] - self.CLUTCH * self.ring[1] + fast * y
        ry = du[1][..., None] + self.CLUTCH * self.ring[0] - fast * x
        rz = du[2][..., None] + 0.0 * rx
        rx, ry, rz = (
            r - np.einsum("m...r,m...->...r", P, material)
            for r, P in ((rx, Px), (ry, Py), (rz, Pz))
        )
        rate = nx * rx + ny * ry + nz * rz
        N = -(self.C_N * gap + self.D_N * rate) / self.RING
        sx, sy, sz = rx - rate * nx, ry - rate * ny, rz - rate * nz
        rub = -self.MU * N / np.sqrt(sx * sx + sy * sy + sz * sz)
        F = np.array([N * nx + rub * sx, N * ny + rub * sy, N * nz + rub * sz])
        held = np.array([stiffness + 0.0 * u[0], stiffness + 0.0 * u[0], self.AXIAL + 0.0 * u[0]])
        clutch = F.sum(axis=-1) - held * u - self.D_BEARING * du
        clutch[2] -= self.LOAD
        elastic = self.K[:, :, None, None] - speed**2 * self.spin[:, :, None, None]
        gyro = speed * self.gyro[:, :, None, None] + self.D_PLATE * self.C[:, :, None, None]
        plate = -sum(
            np.einsum("m...r,...r->m...", P, f) for P, f in zip((Px, Py, Pz), F, strict=True)
        )
        plate = plate - np.einsum("ij...,j...->i...", elastic, a)
        return np.concatenate([clutch, plate - np.einsum("ij...,j...->i...", gyro, da)])

    def tangent(self, q, stiffness, speed, of_v):
        """Forces (P, n) at rest and their derivatives (P, n, n) by q or by v."""
        n, P = self.size, len(stiffness)
        at = np.repeat(q.T[:, :, None], n, axis=2).astype(complex)
        rates = np.zeros((n, P, n), complex)
        (rates if of_v else at)[np.arange(n), :, np.arange(n)] += 1j * self.TINY
        found = self.forces(at, rates, stiffness[:, None], speed[:, None])
        return found[..., 0].real.T, np.moveaxis(found.imag / self.TINY, 0, 1)

    def linearised(self, speeds):
        """Derivatives (P, n, n) of the forces by q and v in the steady states at some speeds.

        In the steady state, which is the same all around, radial springs of any stiffness carry
        nothing; that of the derivatives is `RADIAL`.
        """
        radial = np.full_like(speeds, self.RADIAL)
        q = np.zeros((len(speeds), self.size))
        for _ in range(20):
            force, by_q = self.tangent(q, radial, speeds, False)
            step = np.linalg.solve(by_q, -force[..., None])[..., 0]
            q += step
            if np.abs(step).max() < 1e-12:
                break
        return [self.tangent(q, radial, speeds, of_v)[1] for of_v in (False, True)]

    def growth(self, points: np.ndarray, chunk: int = 16) -> np.ndarray:
        """Largest growth rates (k,) in 1/s; one linearisation for each speed, some at a time."""
        n, result = self.size, np.empty(len(points))
        speeds, group = np.unique(points[:, 1], return_inverse=True)
        radial = np.diag(np.isin(np.arange(n), (0, 1)).astype(float))
        for first in range(0, len(speeds), chunk):
            by_q, by_v = self.linearised(speeds[first : first + chunk])
            own = np.flatnonzero((group >= first) & (group < first + chunk))
            A = np.zeros((len(own), 2 * n, 2 * n))
            A[:, :n, n:] = np.eye(n)
            more, at = points[own, 0, None, None] - self.RADIAL, group[own] - first
            A[:, n:, :n] = (by_q[at] - more * radial) / self.M[:, None]
            A[:, n:, n:] = by_v[at] / self.M[:, None]
            result[own] = np.linalg.eigvals(A).real.max(axis=1)
        return result


def family(harmonics: int, built: bool = False):
    """Function that makes the system of ours, and the number of its dofs."""
    import fecontact as fc

    disc = fc.load_module("jehle/elastic_disc")
    p = disc.ElasticDisc()
    model = fc.ritz_harmonic(disc.plate(p), harmonics)

    def build(c, speed):
        return disc.build(replace(p, radial_stiffness=c, plate_speed=speed), model)

    first = disc.build(p, model)

    def vary(c, speed):
        return first.with_parameters({"bearing.radial_stiffness": c, "plate.speed": speed})

    return (build if built else vary), 3 + model.size


def points_of_ours(harmonics: int, count: int, built: bool) -> tuple[float, np.ndarray]:
    """CPU time of the points of a grid, and growth rates at some places."""
    import fecontact as fc
    from fecontact.analysis.stability.map_points import evaluate_points

    build, _ = family(harmonics, built)

    def run(at):
        return evaluate_points(build, [tuple(place) for place in at], [None] * len(at))

    spent = cpu(lambda: run(places(count)), lambda: run(places(4)))
    growth = [fc.operating_point(build(*at)).modes.leading_growth for at in places(LOOKS)]
    return spent, np.array(growth)


def boundary(harmonics: int, cells: int) -> tuple[float, int]:
    """CPU time of the refined map, and number of its points."""
    import fecontact as fc

    build, _ = family(harmonics)
    levels = round(np.log2(cells / 16))
    found = []

    def run(levels):
        axes = fc.MapAxis("radial_stiffness", *STIFFNESS), fc.MapAxis("plate_speed", *SPEED)
        found.append(fc.stability_map(build, *axes, levels=levels))

    return cpu(lambda: run(levels), lambda: run(0)), found[-1].evaluations


def tracked(harmonics: int, count: int) -> float:
    """CPU time of modes tracked over the speed, along one line of the map."""
    import fecontact as fc

    build, _ = family(harmonics)
    speeds = np.linspace(*SPEED, count)

    def run(at):
        fc.track_modes(fc.Branch(lambda speed: build(32e6, speed)), at)

    return cpu(lambda: run(speeds), lambda: run(speeds[:3]))


def swept(harmonics: int, count: int) -> float:
    """CPU time of `sweep`: operating points with complex modes, along one line of the map."""
    import fecontact as fc

    build, _ = family(harmonics)
    speeds = np.linspace(*SPEED, count)

    def run(at):
        fc.sweep(lambda speed: build(32e6, speed), at, "benchmark")

    return cpu(lambda: run(speeds), lambda: run(speeds[:3]))


def bare(size: int, count: int) -> float:
    """CPU time of the eigenvalues of `count` matrices of this many dofs."""
    import scipy.linalg as la

    A = np.random.default_rng(0).standard_normal((2 * size, 2 * size))
    return cpu(lambda: [la.eigvals(A, check_finite=False) for _ in range(count)])


def measure(program: str, harmonics: int, points: int, task: str = "grid") -> Row:
    """CPU time, per point, as a multiple of the bare eigenvalue call, and error."""
    size, count, error = 4 + 2 * harmonics, len(places(points)), None
    if task == "boundary" and program == OURS:
        spent, count = boundary(harmonics, round(np.sqrt(points)))
    elif task in LINES:
        spent, count = LINES[task](harmonics, points), points
    elif program == OURS:
        spent, growth = points_of_ours(harmonics, points, task == "built")
        error = disagreement(harmonics, growth)
    elif program == "numpy":
        script = Script(harmonics)
        spent = cpu(lambda: script.growth(places(points)), lambda: script.growth(places(4)))
    else:
        spent = bare(size, points)
    call = bare(size, 200) / 200
    row = {"cpu": spent, "dofs": size, "evaluations": count, "ms": 1e3 * spent / count}
    row["ratio"] = spent / count / call
    return row | ({} if error is None else {"error": error})


def along(harmonics: int, count: int) -> float:
    """CPU time of points of a map along the same line."""
    from fecontact.analysis.stability.map_points import evaluate_points

    build, _ = family(harmonics)
    line = [(32e6, speed) for speed in np.linspace(*SPEED, count)]

    def run(at):
        return evaluate_points(build, at, [None] * len(at))

    return cpu(lambda: run(line), lambda: run(line[:3]))


LINES = {"line": along, "tracked": tracked, "sweep": swept}


def disagreement(harmonics: int, growth: np.ndarray) -> float:
    """Largest difference of growth rates from those of the script, relative to the frequency."""
    return float(np.abs(growth - Script(harmonics).growth(places(LOOKS))).max() / 8e3)


SIDE = 256
QUESTION = Question(
    name="disc_map",
    measure=measure,
    cases=(
        *({"program": program, "harmonics": harmonics, "points": points, "task": "grid"}
          for harmonics in (4, 6) for program in (OURS, "numpy", "eigvals")
          for points in (100, 400, 1600)),
        {"program": OURS, "harmonics": 6, "points": 1600, "task": "built"},
        *({"program": OURS, "harmonics": 6, "points": 200, "task": task} for task in LINES),
        {"program": OURS, "harmonics": 6, "points": 64**2, "task": "boundary"},
        {"program": OURS, "harmonics": 6, "points": SIDE**2, "task": "boundary"},
        {"program": "numpy", "harmonics": 6, "points": (SIDE + 1) ** 2, "task": "boundary"},
    ),
    smoke=(
        {"program": OURS, "harmonics": 4, "points": 4},
        *({"program": OURS, "harmonics": 4, "points": 4, "task": task} for task in LINES),
        {"program": "numpy", "harmonics": 4, "points": 4},
        {"program": "eigvals", "harmonics": 4, "points": 4},
    ),
    columns=(
        Column("task", "task"),
        Column("dofs", "dofs"),
        Column("program", "program"),
        Column("evaluations", "points", ",d"),
        Column("cpu", "CPU s", ".3g"),
        Column("ms", "ms per point", ".3g"),
        Column("ratio", "over eigvals", ".1f"),
        Column("error", "error", ".0e"),
    ),
    growths=(Growth("evaluations", "cpu", ("program", "dofs"), ("points", "CPU time / s"),
                    {"task": "grid"}),),
)  # fmt: skip
