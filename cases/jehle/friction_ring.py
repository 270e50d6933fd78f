"""Friction of a sliding ring: effective radius, quadrature, linearisation (Jehle 3.1.1).

A clutch disc (speed Omega_1) slides on a plate (speed Omega). Under uniform pressure the torque of
an annulus is that of a ring with the radius

    R = 2/3 (r_o^3 - r_i^3)/(r_o^2 - r_i^2)                                        (Jehle 3.3)

About the centred position, with the slip delta = Omega - Omega_1 and kappa = mu N/(2 R |delta|),
friction damps the radial motion and turns it:

    f_x = -kappa (u_x' + Omega u_y),   f_y = -kappa (u_y' - Omega u_x),   M = mu N R sign(delta)

Away from it the ring integrals are not elementary. The periodic trapezoidal rule converges
spectrally as long as no point of the ring sticks, that is for w = |v|/(R |delta|) < 1.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

STIFFNESS = 7e6
"""Contact stiffness in N/m; it does not matter here."""
RATIOS = (0.2, 0.5, 0.8, 0.95)
"""Radial speed of the disc, as a fraction of the sliding speed."""


@dataclass(frozen=True)
class FrictionRing(fc.Parameters):
    """Radii of Jehle's clutch plate, and the check values of the source notes, 2.4."""

    inner_radius: float = fc.quantity(0.08, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.12, "m", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.NON_NEGATIVE)
    normal_force: float = fc.quantity(300.0, "N", fc.POSITIVE)
    plate_speed: float = fc.quantity(400.0, "rad/s")
    slip: float = fc.quantity(50.0, "rad/s", fc.NONZERO)


RADIUS = fc.References("""
    exact | effective radius             |          | m | 1e-12 | Jehle 2016, (3.3)
    data  | effective radius of the data | 0.101333 | m | 1e-6 | Jehle 2016, section 3.1.1
        | source_notes
""")
CENTRED = fc.References("""
    damping_x | radial damping, x             |  | N s/m | 1e-9 rel
    damping_y | radial damping, y             |  | N s/m | 1e-9 rel
    turn_x    | circulatory stiffness, y to x |  | N/m   | 1e-9 rel
    turn_y    | circulatory stiffness, x to y |  | N/m   | 1e-9 rel
    torque    | friction torque               |  | N m   | 1e-9 rel
    *         | linearised ring integrals
""")
QUADRATURE = fc.References("""
    near | relative error of 12 points at w = 0.2  | 0.0 |  | 1e-8
    wide | relative error of 12 points at w = 0.5  | 0.0 |  | 1e-4
    far  | relative error of 128 points at w = 0.8 | 0.0 |  | 1e-12
    *    | adaptive quadrature
""")


def sliding(p: FrictionRing, surface: fc.Surface) -> tuple[fc.ContactPair, fc.Floats, fc.Floats]:
    """Contact of the disc with the plate, and coordinates and velocities in centred sliding."""
    disc = fc.RigidBody("disc", 1.0, ("ux", "uy", "uz", "spin"), inertia=(1e-3,) * 3)
    plate = fc.RigidBody("plate", 10.0, (), spin=p.plate_speed)
    normal = fc.PenaltyNormal(STIFFNESS / surface.measure, 0.0)
    face = fc.RigidFace(plate, fc.Plane())
    q = np.array([0.0, 0.0, -p.normal_force / STIFFNESS, 0.0])
    v = np.array([0.0, 0.0, 0.0, p.plate_speed - p.slip])
    return fc.ContactPair(disc, surface, face, normal, fc.CoulombSliding(p.friction)), q, v


def ring_error(p: FrictionRing, w: float, points: int) -> float:
    """Relative error of force and torque with points on the ring, at a radial speed w R delta."""
    contact, q, v = sliding(p, fc.ring(p.radius, points))
    v[0] = w * p.radius * p.slip
    found = contact.force(0.0, q, v)[[0, 3]] * [1.0, np.sign(p.slip)]
    size = p.friction * p.normal_force * np.array([1.0, p.radius])
    return float(np.abs(found / size - fc.reference.sliding_ring(w)).max())


def main(run: fc.Run[FrictionRing]) -> None:
    """Effective radius, centred linearisation, convergence of the quadrature."""
    p, mu_N = run.parameters, run.parameters.friction * run.parameters.normal_force
    contact, q, v = sliding(p, fc.annulus_surface(p.inner_radius, p.outer_radius, (2, 12)))
    radius = abs(contact.force(0.0, q, v)[3]) / mu_N
    exact = fc.reference.facing_torque(p.inner_radius, p.outer_radius, 1.0)
    run.compare(RADIUS, {"exact": (radius, exact), "data": radius})
    contact, q, v = sliding(p, fc.ring(p.radius, 12))
    by_q, by_v = contact.tangents(0.0, q, v)
    kappa = mu_N / (2.0 * p.radius * abs(p.slip))
    computed = {
        "damping_x": (-by_v[0, 0], kappa),
        "damping_y": (-by_v[1, 1], kappa),
        "turn_x": (-by_q[0, 1], kappa * p.plate_speed),
        "turn_y": (by_q[1, 0], kappa * p.plate_speed),
        "torque": (contact.force(0.0, q, v)[3], np.sign(p.slip) * mu_N * p.radius),
    }
    run.compare(CENTRED, computed)
    counts = np.array([6, 8, 12, 16, 24, 32, 48, 64, 96, 128])
    errors = {w: np.array([ring_error(p, w, int(n)) for n in counts]) for w in RATIOS}
    computed = {"near": errors[0.2][2], "wide": errors[0.5][2], "far": errors[0.8][-1]}
    run.compare(QUADRATURE, computed)
    figure = fc.view.new_figure(6.5, 4.5)
    axes = figure.subplots()
    for w, error in errors.items():
        axes.semilogy(counts, np.maximum(error, 1e-16), "o-", fillstyle="none", label=f"w = {w:g}")
    axes.set(xlabel="points on the ring", ylabel="relative error of force and torque")
    axes.legend()
    run.figure("quadrature", figure)
    enough = "12 points are enough near the centre, and none are where a point sticks (w = 1)"
    run.note(f"The error falls like w^n: {enough}.")


CASE = fc.Case(__doc__, ("Jehle T3",), FrictionRing(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
