"""Disc in a wedge: rest and rotation coexist, and compliance decides (Waltersberger 5.1.4, 5.6).

Floor with the normal n_1 = (0, 1), flank n_2 = (sin a, -cos a), load f towards the edge. Rigid
contacts: beyond the torque M_0 both rest and rotation satisfy all conditions. Compliant normal
contacts with set-valued friction have one answer; while the disc rotates, friction couples its two
translations,

    s^2 = -(c/m) (1 +- sqrt(1 - (1 + mu^2) sin^2 a)),    flutter for mu > cot a,

and the motion grows until the floor contact opens. Forces scale with f: so do all orbits.
"""

from dataclasses import dataclass, replace
from math import pi, sin, tan

import numpy as np
from scipy.linalg import expm

import fecontact as fc

SOLVER = (
    "rest and rotation both satisfy all conditions; which one is found depends on solver and start",
    "Waltersberger 2007, section 5.1.4",
)


@dataclass(frozen=True)
class WedgedDisc(fc.Parameters):
    """Data of example 5.6; the disc spins clockwise, fast enough never to stop."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    angle: float = fc.quantity(pi / 4, "rad", fc.POSITIVE)
    stiffness: float = fc.quantity(1e5, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(0.5, "N s/m", fc.NON_NEGATIVE)
    load: float = fc.quantity(9.81, "N", fc.POSITIVE)
    step: float = fc.quantity(2e-4, "s", fc.POSITIVE, numerical=True)
    until: float = fc.quantity(1.0, "s", fc.POSITIVE, numerical=True)
    exact = fc.derived(
        "the disc while it rotates, in closed form",
        lambda p: fc.reference.RotatingWedge(p.mass, p.radius, p.angle, p.load, p.stiffness),
    )
    inertia = fc.derived("moment of inertia in kg m^2", lambda p: 0.5 * p.mass * p.radius**2)


REFERENCES = fc.References("""
    breaking_95  | M_0, mu = 0.95 | 1.28005 | N m | 1e-5 |  | source_notes
    breaking_105 | M_0, mu = 1.05 | 1.28021 | N m | 1e-5 |  | source_notes
    friction | friction torque of steady rotation |  | N m | 1e-9 |  | closed_form
    both | rest and rotation both possible | is | | | Waltersberger 2007, (5.15), (5.16) | formula
    sweeps | sweeps | is True | | | Waltersberger 2007, section 5.1.4 | formula
    *        | Waltersberger 2007, (5.16) | published
    growth_95     | growth rate, mu = 0.95 | 0.0 | 1/s | 6e-3
    frequency_95  | frequency, mu = 0.95   | 55.609 | Hz  | 1e-3
    growth_105    | growth rate, mu = 1.05 | 35.57 | 1/s | 6e-3
    frequency_105 | frequency, mu = 1.05   | 50.647 | Hz  | 1e-3
    growth_120    | growth rate, mu = 1.2 | 72.3 | 1/s | 6e-3
    frequency_120 | frequency, mu = 1.2   | 51.628 | Hz  | 1e-3
    square    | s^2 against the closed form   | 0.0 |     | 1e-9
        | 1 -+ sqrt(1 - (1 + mu^2) sin^2 a) | closed_form
    critical  | critical friction coefficient |     |     | 1.5e-3
        | Waltersberger 2007, example 5.6: exactly mu = 1 | published; formula
    floor     | reaction, of the floor, mu = 0.95 | 9.3882 | N | 1e-4
        | Waltersberger 2007, example 5.6
    flank     | reaction, of the flank, mu = 0.95 | 4.086  | N | 1e-4
        | Waltersberger 2007, example 5.6
    *         | Waltersberger 2007, (5.31), corrected | source_notes
    order   | order of the mixed form                           |     |  | 0.2
    growing | relative error of the growing motion, theta = 0.5 | 0.0 |  | 0.02 | matrix exponential
    *       | trapezoidal rule, implicit Euler
    opens       | the floor contact opens, mu = 1.05 | is True |  |  |  | published
    homogeneous | ten times the load, ten times the motion: relative deviation | 0.0 |  | 1e-6
        | positively homogeneous of degree one
    residual    | residual of the friction cones | <= 1e-10 |  |  | tolerance of the solver
    *           | Waltersberger 2007, figure 5.18
""")


def rigid(p: WedgedDisc, mu: float, torque: float) -> fc.ContactProblem:
    """Accelerations of the rigid disc at rest under a torque."""
    J, load = p.exact.rows, np.array([*p.exact.force, torque])
    inverse = 1.0 / np.array([p.mass, p.mass, p.inertia])
    rows = (np.array([0, 3]), np.array([1, 4]), np.full(2, mu), np.zeros(2))
    return fc.ContactProblem(J * inverse @ J.T, J @ (inverse * load), *rows)


def system(p: WedgedDisc, mu: float = 0.95) -> fc.System:
    """Compliant contacts at the points of the rim that touch floor and flank."""
    inertia = (p.inertia, p.inertia, p.inertia)
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy", "spin"), inertia)
    law, contacts = fc.PenaltyNormal(p.stiffness, p.damping), []
    for name, n in zip(
        ("floor", "flank"), np.column_stack([p.exact.normals, np.zeros(2)]), strict=True
    ):
        foot = -p.radius * n
        wall = fc.RigidFace(None, fc.Plane(tuple(foot.tolist()), tuple(n.tolist())))
        rim = fc.Surface(foot[None], np.ones(1))
        contacts.append(fc.RigidContact(disc, rim, wall, mu, normal=law, name=name))
    push = fc.Force(disc, (float(p.exact.force[0]), float(p.exact.force[1]), 0.0))
    return fc.System([disc], [push, *contacts])


def spinning(p: WedgedDisc, model: fc.System, position: fc.Floats) -> fc.State:
    """State with the disc at a position, rotating clockwise."""
    q = {"disc.ux": float(position[0]), "disc.uy": float(position[1])}
    return model.state(q=q, v={"disc.spin": -5e3})


def main(run: fc.Run[WedgedDisc]) -> None:
    """Indeterminacy, eigenvalues, growth, orbit."""
    rigid_checks(run)
    linear_checks(run)
    growth(run)
    orbits(run)


def rigid_checks(run: fc.Run[WedgedDisc]) -> None:
    """Rest and rotation beyond M_0 (example of McNamara)."""
    p = run.parameters
    limits = (0.95, 1.05)
    run.compare(
        REFERENCES, {f"breaking_{100 * mu:.0f}": p.exact.breaking(mu) for mu in limits}, part=True
    )
    for mu in limits:
        torque = p.radius * mu * float(p.exact.reactions(mu).sum())
        run.row(REFERENCES, "friction", torque, p.exact.breaking(mu), label=f"mu = {mu}")
    mu = 0.95
    for factor, both in ((1.1, True), (0.9, False)):
        torque = -factor * p.exact.breaking(mu)
        problem, held = rigid(p, mu, torque), p.exact.at_rest(mu, torque)
        rest = held is not None and problem.residual(held) < 1e-8
        breaks = problem.residual(p.exact.turning(mu)) < 1e-8
        run.row(REFERENCES, "both", rest and breaks, both, label=f"M = {factor} M_0")
        for words, start in (("zero", None), ("rest", held)):
            found = problem.velocity(fc.solve_contacts(problem, start).value)
            label = f"from {words} keep the disc at rest, M = {factor} M_0"
            about = {"label": label, "known_deviation": SOLVER if both else None}
            run.row(REFERENCES, "sweeps", np.abs(found).max() < 1e-8 * problem.scale, **about)


def linear_checks(run: fc.Run[WedgedDisc]) -> None:
    """Eigenvalues of the rotating disc."""
    p = run.parameters
    computed = {}
    for mu in (0.95, 1.05, 1.2):
        found = np.linalg.eigvals(p.exact.matrix(mu, 0.0))
        most = found[np.argmax(found.real + 1e-6 * found.imag)]
        computed[f"growth_{100 * mu:.0f}"] = most.real
        computed[f"frequency_{100 * mu:.0f}"] = float(abs(found.imag).max()) / (2 * pi)
        root = np.emath.sqrt(1.0 - (1.0 + mu**2) * sin(p.angle) ** 2)
        exact = np.sqrt(-(p.stiffness / p.mass) * (1.0 + np.array([root, -root])) + 0j)
        gap = max(np.abs(found**2 - s**2).min() for s in exact) / p.stiffness * p.mass
        run.row(REFERENCES, "square", gap, label=f"mu = {mu}")
    limits = np.linspace(0.8, 1.2, 401)
    rates = np.array([np.linalg.eigvals(p.exact.matrix(mu, 0.0)).real.max() for mu in limits])
    critical = float(limits[np.argmax(rates > 1e-3)])
    computed["critical"] = critical, 1.0 / tan(p.angle)
    computed["floor"], computed["flank"] = p.exact.reactions(0.95)
    run.compare(REFERENCES, computed, part=True)


def growth(run: fc.Run[WedgedDisc]) -> None:
    """A small disturbance of the rotating disc against the matrix exponential."""
    p, mu, t = run.parameters, 1.05, 0.02
    model, rest = system(p, mu), p.exact.still(mu)
    away = 1e-3 * np.array([1.0, -0.5]) * np.abs(rest).max()
    exact = (expm(t * p.exact.matrix(mu, p.damping)) @ np.array([*away, 0.0, 0.0]))[:2]
    size = float(np.linalg.norm(exact))
    steps = p.step * np.array([0.5, 0.25] if run.quick else [1.0, 0.5, 0.25, 0.125])
    curves = {}
    for theta, expected in ((0.5, 2.0), (1.0, 1.0)):
        ends = [
            fc.simulate(model, t, spinning(p, model, rest + away), "moreau", t, step=h, theta=theta)
            for h in steps.tolist()
        ]
        errors = np.array([np.linalg.norm(end.q[-1, :2] - rest - exact) / size for end in ends])
        curves[f"theta = {theta:g}"] = errors
        order = float(np.log2(errors[-2] / errors[-1]))
        run.row(REFERENCES, "order", order, expected, label=f"with theta = {theta:g}")
    run.row(REFERENCES, "growing", curves["theta = 0.5"][-1])
    figure = fc.view.convergence_plot(steps, curves, 2.0, "step / s")
    run.figure("convergence", figure)


def orbits(run: fc.Run[WedgedDisc]) -> None:
    """From the touching position: growth until the floor opens, and homogeneity in f."""
    p = run.parameters
    t = 0.03 if run.quick else p.until
    motion, tenfold = (release(replace(p, load=load), t) for load in (p.load, 10.0 * p.load))
    run.audit(motion)
    opens, more = float(motion.q[:, 1].max()), tenfold.q[:, :2]
    computed = {
        "opens": opens > 0.0,
        "homogeneous": np.abs(more - 10.0 * motion.q[:, :2]).max() / np.abs(more).max(),
        "residual": fc.contact_residuals(motion)[-1],
    }
    run.compare(REFERENCES, computed, part=True)
    run.note(
        f"motion over {t:g} s: q_2 from {1e3 * motion.q[:, 1].min():.3f} to {1e3 * opens:.3f} mm; "
        "several attractors coexist, so no amplitude is asserted"
    )
    curves = {"q_1": 1e3 * motion.q[:, 0], "q_2": 1e3 * motion.q[:, 1]}
    axes = "time / s", "displacement of the centre / mm"
    figure = fc.view.curves_plot(motion.t, curves, *axes)
    run.figure("wedged_disc", figure)


def release(p: WedgedDisc, t: float) -> fc.Result:
    """Motion from the unstressed touching position, mu = 1.05."""
    model = system(p, 1.05)
    return fc.simulate(model, t, spinning(p, model, np.zeros(2)), "moreau", step=p.step)


VERIFIES = ("Waltersberger T6", "Waltersberger T7")
CASE = fc.Case(__doc__, VERIFIES, WedgedDisc(), main, quick_s=8.0, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
