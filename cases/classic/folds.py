"""Branches that turn round: snap-through, self-locking, a bent resonance, a resonance with slip.

Von Mises truss: two bars of the stiffness k over the half span b, height h, length L carry at most

    P = 2 k (L^(2/3) - b^(2/3))^(3/2);

beyond it they snap through. Wedged rod: a belt drags a block under an elastic rod, which presses it
on the belt the more the farther it comes; with the load P there is an equilibrium for

    mu = S x/(P l + S h),      S = k (L - l),      l^2 = x^2 + h^2,

up to the largest mu over x, where the rod locks itself.

Duffing: q'' + d q' + q + a q^3 = F cos(omega t) has, with one harmonic, the amplitude A of

    ((1 + 3/4 a A^2 - omega^2)^2 + (d omega)^2) A^2 = F^2 .

Jenkins: a mass on a spring and on a bristle c that slips at the force f answers, with one harmonic,
as with the stiffness and loss of Caughey's describing function (J. Appl. Mech. 27, 1960, 640-643),

    (c/pi) (theta - sin(2 theta)/2)  and  (c/pi) sin(theta)^2,      cos(theta) = 1 - 2 f/(c A) .
"""

from dataclasses import dataclass
from math import hypot, pi, sqrt

import numpy as np
from scipy.optimize import minimize_scalar

import fecontact as fc

POINT = fc.Surface(np.zeros((1, 3)), np.ones(1))


@dataclass(frozen=True)
class Folds(fc.Parameters):
    """Truss, rod, Duffing's oscillator without units, Jenkins' element on a mass of 1 kg."""

    half_span: float = fc.quantity(1.0, "m", fc.POSITIVE)
    height: float = fc.quantity(0.4, "m", fc.POSITIVE)
    bar_stiffness: float = fc.quantity(1e5, "N/m", fc.POSITIVE)
    rod_length: float = fc.quantity(0.5, "m", fc.POSITIVE)
    rod_height: float = fc.quantity(0.3, "m", fc.POSITIVE)
    rod_stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    rod_load: float = fc.quantity(50.0, "N", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(1e11, "N/m", fc.POSITIVE)
    cubic: float = fc.quantity(0.8, "", fc.POSITIVE)
    duffing_damping: float = fc.quantity(0.05, "", fc.POSITIVE)
    duffing_load: float = fc.quantity(0.2, "", fc.POSITIVE)
    spring: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    damper: float = fc.quantity(20.0, "N s/m", fc.POSITIVE)
    bristle: float = fc.quantity(4e4, "N/m", fc.POSITIVE)
    bristle_damping: float = fc.quantity(1e-3, "N s/m", fc.POSITIVE)
    slip_force: float = fc.quantity(20.0, "N", fc.POSITIVE)
    push: float = fc.quantity(60.0, "N", fc.POSITIVE)
    samples: int = fc.quantity(128, "", fc.at_least(16), numerical=True)


REFERENCES = fc.References("""
    wedged | wedged rod: largest friction coefficient with an equilibrium |  |  | 1e-5
    *      | balance of block and rod
    duffing   | Duffing, one harmonic: imbalance of the closed form | <= 1e-7
    resonance | Duffing: folds                                      | is
    *         | one harmonic
    truss   | truss: load at a fold |  | N |  | von Mises
    jenkins | Jenkins |  | m |  | Caughey 1960, its stiffness and loss at this amplitude
""")


def truss(p: Folds, load: float) -> fc.System:
    """Two bars and a load on their node."""
    node = fc.RigidBody("node", 1.0, ("uz",), position=(0.0, 0.0, p.height))
    bars = [
        fc.SpringDamper(None, node, p.bar_stiffness, point_a=(x, 0.0, 0.0), name=f"bar {x:+g}")
        for x in (-p.half_span, p.half_span)
    ]
    return fc.System([node], [*bars, fc.Force(node, (0.0, 0.0, -load))])


def wedge(p: Folds, mu: float) -> fc.System:
    """Block between the belt and the rod."""
    far = sqrt(p.rod_length**2 - p.rod_height**2)
    block = fc.RigidBody("block", 1.0, ("ux", "uz"), position=(far, 0.0, 0.0))
    belt = fc.RigidBody("belt", 1.0, ("ux",))
    spring = fc.PenaltyNormal(p.contact_stiffness)
    face, top = fc.RigidFace(belt, fc.Plane()), (0.0, 0.0, p.rod_height)
    contact = fc.ContactPair(block, POINT, face, spring, fc.CoulombSliding(mu))
    rod = fc.SpringDamper(None, block, p.rod_stiffness, point_a=top, name="rod")
    drive = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(-1.0), name="drive")
    return fc.System([block, belt], [rod, contact, drive, fc.Force(block, (0.0, 0.0, -p.rod_load))])


def main(run: fc.Run[Folds]) -> None:
    """Both equilibria, both resonances."""
    snap_through(run)
    self_locking(run)
    duffing(run)
    jenkins(run)


def snap_through(run: fc.Run[Folds]) -> None:
    """Load over the deflection of the truss."""
    p = run.parameters
    length = hypot(p.half_span, p.height)
    largest = 2.0 * p.bar_stiffness * (length ** (2 / 3) - p.half_span ** (2 / 3)) ** 1.5
    options = fc.PathOptions(-2.0 * largest, 2.0 * largest, size=p.height, step=0.1, longest=0.2)
    path = fc.equilibrium_path(lambda load: truss(p, load), 0.0, options)
    for fold, expected in zip(path.of("fold"), (largest, -largest), strict=True):
        run.row(REFERENCES, "truss", fold.parameter, expected, 1e-8 * largest)
    z = np.linspace(p.height, p.height + float(path.u[-1, 0]), 300)
    load = 2.0 * p.bar_stiffness * z * (length / np.hypot(p.half_span, z) - 1.0)
    axes = "deflection / m", "load / N"
    save(run, "snap_through", path, (p.height - z, load), *axes)


def self_locking(run: fc.Run[Folds]) -> None:
    """Friction coefficient over the way of the block under the rod."""
    p = run.parameters
    far = sqrt(p.rod_length**2 - p.rod_height**2)

    def friction(x: fc.Floats) -> fc.Floats:
        length = np.hypot(x, p.rod_height)
        push = p.rod_stiffness * (p.rod_length - length)
        return np.asarray(push * x / (p.rod_load * length + push * p.rod_height))

    bounds, fine = (0.1 * far, far), {"xatol": 1e-12}
    best = minimize_scalar(
        lambda x: -float(friction(x)), bounds=bounds, method="bounded", options=fine
    )
    sizes, guess = np.array([0.1, 1e-8, 1.0]), np.array([0.0, -1e-9, 0.0])
    options = fc.PathOptions(0.02, 2.0, size=sizes, step=0.1, longest=0.2)
    path = fc.equilibrium_path(lambda mu: wedge(p, mu), 0.05, options, guess=guess)
    run.row(REFERENCES, "wedged", path.of("fold")[0].parameter, -float(best.fun))
    x = np.linspace(far + float(path.u[-1, 0]), far, 300)
    axes = "way of the block / m", "friction coefficient"
    save(run, "self_locking", path, (far - x, friction(x)), *axes)


def duffing(run: fc.Run[Folds]) -> None:
    """Resonance with one and with nine harmonics."""
    p = run.parameters
    d, a, load = p.duffing_damping, p.cubic, p.duffing_load

    def at(omega: float) -> fc.Oscillator:
        def force(t: float, q: fc.Floats, v: fc.Floats) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
            f = load * np.cos(omega * t) - d * v - q - a * q**3
            return f, np.diag(-1.0 - 3.0 * a * q**2), np.diag(np.full(1, -d))

        return fc.Oscillator(np.eye(1), force)

    curves, longest = {}, 0.2 if run.quick else 0.05
    for highest in (1,) if run.quick else (1, 9):
        base = fc.Harmonics(highest)
        equations = fc.HarmonicBalance(at, base, lambda omega: omega)
        u = np.zeros(base.size)
        u[1] = load / (1.0 - 0.4**2)
        path = fc.follow(equations, u, 0.4, fc.PathOptions(0.4, 2.5, size=1.0, longest=longest))
        size = np.hypot(path.u[:, 1], path.u[:, 2])
        curves[f"harmonics up to {highest}"] = path.parameter, size
        if highest == 1:
            left = (1.0 + 0.75 * a * size**2 - path.parameter**2) ** 2 + (d * path.parameter) ** 2
            run.row(REFERENCES, "duffing", np.abs(left * size**2 / load**2 - 1.0).max())
            run.row(REFERENCES, "resonance", len(path.of("fold")), 2)
    backbone = np.linspace(0.0, max(float(y.max()) for _, y in curves.values()), 100)
    curves["backbone"] = np.sqrt(1.0 + 0.75 * a * backbone**2), backbone
    figure = fc.view.history_panels({"amplitude of the first harmonic": curves}, xlabel="frequency")
    run.figure("duffing", figure)


def slipping(p: Folds, omega: float) -> fc.SystemMotion:
    """Mass on a spring, on bristles that slip, with a harmonic force."""
    depth, mu = 1e-4, 0.4
    body = fc.RigidBody("mass", 1.0, ("ux",))
    foot, ground = fc.Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1)), fc.Plane()
    normal = fc.PenaltyNormal(p.slip_force / mu / depth)
    friction = fc.ElastoPlastic(mu, p.bristle, p.bristle_damping)
    pair = fc.ContactPair(body, foot, fc.RigidFace(None, ground), normal, friction)
    swing = fc.Function(lambda t: np.cos(omega * t), lambda t: -omega * np.sin(omega * t))
    spring = fc.Bearing(body, p.spring, 1e-9, p.damper, name="spring")
    force = fc.Force(body, (p.push, 0, 0), factor=swing)
    return fc.SystemMotion(fc.System([body], [spring, pair, force]))


def jenkins(run: fc.Run[Folds]) -> None:
    """Amplitude with slip at some frequencies against Caughey's closed form."""
    p = run.parameters
    samples = p.samples // 2 if run.quick else p.samples
    guess = np.array([[0.0], [5e-3], [0.0]])
    for omega in (130.0,) if run.quick else (90.0, 110.0, 130.0, 150.0):
        series = fc.harmonic_balance(slipping(p, omega), guess, omega, 1, samples).series
        guess, size = series, float(np.hypot(*series[1:, 0]))
        theta = np.arccos(1.0 - 2.0 * p.slip_force / (p.bristle * size))
        stiffness = p.bristle / pi * (theta - 0.5 * np.sin(2.0 * theta))
        loss = p.bristle / pi * np.sin(theta) ** 2
        dynamic = p.spring + stiffness - omega**2 + 1j * (p.damper * omega + loss)
        expected = p.push / abs(dynamic)
        error, label = 5e-3 if run.quick else 2e-3, f"at {omega:g} rad/s: amplitude"
        run.row(REFERENCES, "jenkins", size, expected, error * expected, label=label)


def save(
    run: fc.Run[Folds],
    name: str,
    path: fc.SolutionPath,
    exact: tuple[fc.Floats, fc.Floats],
    xlabel: str,
    ylabel: str,
) -> None:
    """Picture of a branch, with circles of its closed form."""
    curves = {"branch": (-path.u[:, 0], path.parameter)}
    dots = {"closed form": (exact[0][::12], exact[1][::12])}
    figure = fc.view.history_panels({ylabel: curves}, {ylabel: dots}, xlabel=xlabel)
    run.figure(name, figure)


VERIFIES = ("continuation through folds", "harmonic balance with slip")
CASE = fc.Case(__doc__, VERIFIES, Folds(), main, quick_s=20)

if __name__ == "__main__":
    CASE.main(__file__)
