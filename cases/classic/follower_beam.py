"""Beck's column: a cantilever under a follower force flutters (Beck 1952).

The compressive force P at the free end follows the tangent. It has no potential: the column does
not buckle, its first two modes meet at P = 20.05 EI/l^2, with the frequency 11.02 sqrt(EI/(m l^4)),
and flutter follows. The reference is the double root of the frequency equation of the column,

    P^2 + 2 w^2 (1 + cos a cosh b) + P w sin a sinh b = 0,     a^2, b^2 = sqrt(P^2/4 + w^2) +- P/2

(forces in EI/l^2, frequencies in sqrt(EI/(m l^4))). Two models are compared with it: the finite
elements of a beam with the stiffness of its axial force, and a chain of rigid links with torsion
springs and a `Force(follower=True)` in a multibody system, extrapolated in the number of links.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import pi, sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class FollowerBeam(fc.Parameters):
    """A slender steel rod; the references hold for any."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    side: float = fc.quantity(0.01, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    elements: int = fc.quantity(20, "", fc.at_least(2), numerical=True)
    links: int = fc.quantity(6, "", fc.at_least(3), numerical=True)
    bending_stiffness = fc.derived("EI in N m^2", lambda p: p.young * p.side**4 / 12.0)
    force = fc.derived("unit of forces EI/l^2 in N", lambda p: p.bending_stiffness / p.length**2)
    rate = fc.derived(
        "unit of frequencies sqrt(EI/(m l^4)) in rad/s",
        lambda p: sqrt(p.bending_stiffness / (p.density * p.side**2 * p.length**4)),
    )


ONSET = fc.References("""
    load      | critical load            |       | EI/l^2
    published | critical load, published | 20.05 | EI/l^2 |  | Beck 1952 | published; formula
    frequency | frequency at the onset   |       | Hz
    *         | double root of the frequency equation
    term | what feeds the flutter | is tip, follower load |  |  | model: nothing else is circulatory
""")


def finite_elements(p: FollowerBeam) -> fc.MatrixBranch:
    """Planar beam; the load in units EI/l^2 is the parameter."""
    section = fc.Section.rectangle(p.side, p.side)
    supports = {"left": "clamped", "right": ("u_x",)}  # the load is given, the rod does not stretch
    about = {"elements": p.elements, "theory": "euler_bernoulli", "motion": "planar"}
    steel = fc.Material(p.young, 0.3, p.density)
    beam = fc.straight_beam(p.length, section, steel, supports, **about)
    matrices = beam.mass, beam.stiffness, beam.tension_stiffness(1.0)
    M, K, tension = (beam.of_free_dofs(A) for A in matrices)
    _, w, theta = np.searchsorted(beam.free, beam.joining_parts["right"])  # u_x is held

    def model(load: float) -> fc.LinearModel:
        by_position = K - load * p.force * tension
        by_position[w, theta] -= load * p.force  # transverse part -P w', with w' = -theta_y
        return fc.LinearModel.of(M, np.zeros_like(M), by_position, {"rod": slice(None)})

    return fc.MatrixBranch(model)


def chain(p: FollowerBeam, links: int, load: float) -> fc.System:
    """Rigid links along x with torsion springs; the force follows the last one."""
    h = p.length / links
    mass = p.density * p.side**2 * h
    inertia = (mass * h**2 / 12.0,) * 3
    bodies = [
        fc.RigidBody(f"link{k}", mass, ("ux", "uz", "ry"), inertia, ((k + 0.5) * h, 0.0, 0.0))
        for k in range(links)
    ]
    items: list[fc.typing.Item] = []
    for k, (below, link) in enumerate(pairwise([None, *bodies])):
        stiffness = p.bending_stiffness / h * (2.0 if below is None else 1.0)
        start = {"point_b": (-h / 2, 0.0, 0.0), "axis": "y"}
        items.append(fc.Revolute(below, link, **start, name=f"joint{k}"))
        items.append(fc.TorsionSpring(below, link, stiffness, axis="y", name=f"spring{k}"))
    push, tip = (-load * p.force, 0.0, 0.0), (h / 2, 0.0, 0.0)
    return fc.System(bodies, [*items, fc.Force(bodies[-1], push, tip, "tip", follower=True)])


def build(p: FollowerBeam) -> fc.System:
    """Chain under a load beyond the onset."""
    return chain(p, p.links, 22.0)


def main(run: fc.Run[FollowerBeam]) -> None:
    """Onset of flutter of both models, the mechanism, and the two modes over the load."""
    p, (load, omega) = run.parameters, fc.reference.beck_column()
    branch = finite_elements(p)
    rods = [fc.Branch(lambda P, n=n: chain(p, n, P)) for n in (p.links, 2 * p.links)]
    coarse, fine = (fc.coalescence(rod, 15.0, 25.0) for rod in rods)
    value = fc.extrapolated(coarse.value, fine.value)
    chains = fc.Critical(value, fc.extrapolated(coarse.eigenvalue, fine.eigenvalue), fine.mode)
    pair = f"{p.links} and {2 * p.links} links: {coarse.value:.4f}, {fine.value:.4f} EI/l^2"
    run.note(f"Chain of {pair}.")
    exact = omega * p.rate / (2 * pi)
    models = ("FE", fc.coalescence(branch, 15.0, 25.0), 1e-5), ("links, extrapolated", chains, 2e-3)
    for basis, found, error in models:
        run.row(ONSET, "load", found.value, load, error * load, basis=basis)
        run.row(ONSET, "published", found.value, tolerance=0.005 + error * load, basis=basis)
        run.row(ONSET, "frequency", found.frequency, exact, error * exact, basis=basis)
    source = fc.operating_point(build(p)).balance().source
    run.row(ONSET, "term", source.label if source else "nothing")
    tracks = fc.track_modes(branch, np.linspace(0.0, 30.0, 31), [0, 1])
    run.figure("follower_beam", fc.view.tracks_plot(tracks, "follower load / (EI/l^2)"))


VERIFIES = ("follower-load beam, 20.05 EI/l^2",)
CASE = fc.Case(__doc__, VERIFIES, FollowerBeam(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
