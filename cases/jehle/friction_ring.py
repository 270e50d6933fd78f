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

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad

import fecontact as fc

STIFFNESS = 7e6
"""Contact stiffness in N/m; it does not matter here."""
RATIOS = (0.2, 0.5, 0.8, 0.95)
"""Radial speed of the disc, as a share of the sliding speed."""


@dataclass(frozen=True)
class FrictionRing(fc.Parameters):
    """Radii of Jehle's lamella, and the check values of the source notes, 2.4."""

    inner_radius: float = fc.quantity(0.08, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.12, "m", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.NON_NEGATIVE)
    normal_force: float = fc.quantity(300.0, "N", fc.POSITIVE)
    plate_speed: float = fc.quantity(400.0, "rad/s")
    slip: float = fc.quantity(50.0, "rad/s")

    def validate(self) -> None:
        """Sliding needs slip."""
        if self.slip == 0.0:
            raise fc.InputError("slip = 0.0 rad/s is not possible: without slip nothing slides")


def sliding(p: FrictionRing, surface: fc.Surface) -> tuple[fc.ContactPair, fc.Floats, fc.Floats]:
    """Contact of the disc with the plate, and coordinates and velocities in centred sliding."""
    disc = fc.RigidBody("disc", 1.0, ("ux", "uy", "uz", "spin"), inertia=(1e-3,) * 3)
    plate = fc.RigidBody("plate", 10.0, (), spin=p.plate_speed)
    normal = fc.PenaltyNormal(STIFFNESS / surface.measure, 0.0)
    face = fc.RigidFace(plate, fc.Plane())
    q = np.array([0.0, 0.0, -p.normal_force / STIFFNESS, 0.0])
    v = np.array([0.0, 0.0, 0.0, p.plate_speed - p.slip])
    return fc.ContactPair(disc, surface, face, normal, fc.CoulombSliding(p.friction)), q, v


def main(run: fc.Run[FrictionRing]) -> None:
    """Effective radius, centred linearisation, convergence of the quadrature."""
    effective_radius(run)
    centred(run)
    quadrature(run)


def effective_radius(run: fc.Run[FrictionRing]) -> None:
    """Torque of the annulus under uniform pressure."""
    p = run.parameters
    r_i, r_o = p.inner_radius, p.outer_radius
    contact, q, v = sliding(p, fc.annulus_surface(r_i, r_o, (2, 12)))
    torque = abs(float(contact.force(0.0, q, v)[3]))
    radius = torque / (p.friction * p.normal_force)
    exact = 2.0 / 3.0 * (r_o**3 - r_i**3) / (r_o**2 - r_i**2)
    run.check("effective radius", radius, exact, unit="m", tolerance=1e-12, formula=True,
              kind="closed_form", source="Jehle (3.3)")  # fmt: skip
    run.check("effective radius of the data", radius, 0.101333, unit="m", tolerance=1e-6,
              kind="digest", source="Jehle 2016, section 3.1.1, recomputed")  # fmt: skip


def centred(run: fc.Run[FrictionRing]) -> None:
    """Damping and circulatory stiffness of the radial motion."""
    p = run.parameters
    contact, q, v = sliding(p, fc.ring(p.radius, 12))
    by_q, by_v = contact.tangents(0.0, q, v)
    kappa = p.friction * p.normal_force / (2.0 * p.radius * abs(p.slip))
    turn = kappa * p.plate_speed
    rows = (
        ("radial damping, x", -by_v[0, 0], kappa, "N s/m"),
        ("radial damping, y", -by_v[1, 1], kappa, "N s/m"),
        ("circulatory stiffness, y to x", -by_q[0, 1], turn, "N/m"),
        ("circulatory stiffness, x to y", by_q[1, 0], turn, "N/m"),
        ("friction torque", contact.force(0.0, q, v)[3],
         np.sign(p.slip) * p.friction * p.normal_force * p.radius, "N m"),
    )  # fmt: skip
    for name, found, exact, unit in rows:
        run.check(name, float(found), float(exact), unit=unit, tolerance=1e-9 * abs(exact),
                  formula=True, kind="closed_form", source="linearised ring integrals")  # fmt: skip


def exact_force(p: FrictionRing, w: float) -> fc.Floats:
    """Force along a radial motion and torque, by adaptive quadrature of (Jehle 3.13, corrected).

    With v_x = w R delta:  f_x = -mu N/(2 pi) int (w + sin t)/s dt,
    M = mu N R/(2 pi) int (1 + w sin t)/s dt,  s^2 = 1 + 2 w sin t + w^2 (for positive slip).
    """

    def integral(kernel: Callable[[float], float]) -> float:
        return float(quad(kernel, -0.5 * np.pi, 0.5 * np.pi, epsabs=1e-13, epsrel=1e-13)[0]) / np.pi

    def s(t: float) -> float:
        return float(np.sqrt(1.0 + 2.0 * w * np.sin(t) + w**2))

    size = p.friction * p.normal_force
    force = integral(lambda t: (w + np.sin(t)) / s(t))
    torque = integral(lambda t: (1.0 + w * np.sin(t)) / s(t))
    return size * np.array([-force, torque * p.radius])


def quadrature(run: fc.Run[FrictionRing]) -> None:
    """Error of force and torque over the number of points on the ring."""
    p = run.parameters
    counts = np.array([6, 8, 12, 16, 24, 32, 48, 64, 96, 128])
    errors = {}
    size = p.friction * p.normal_force * np.array([1.0, p.radius])
    for w in RATIOS:
        exact = exact_force(p, w)
        found = []
        for count in counts:
            contact, q, v = sliding(p, fc.ring(p.radius, int(count)))
            v[0] = w * p.radius * p.slip
            found.append(contact.force(0.0, q, v)[[0, 3]] * [1.0, np.sign(p.slip)])
        errors[w] = np.abs((np.array(found) - exact) / size).max(axis=1)
    for w, limit in ((0.2, 1e-8), (0.5, 1e-4)):
        run.check(f"relative error of 12 points at w = {w:g}", float(errors[w][2]), 0.0,
                  tolerance=limit, formula=True, kind="closed_form",
                  source="adaptive quadrature")  # fmt: skip
    run.check("relative error of 128 points at w = 0.8", float(errors[0.8][-1]), 0.0,
              tolerance=1e-12, formula=True, kind="closed_form",
              source="adaptive quadrature")  # fmt: skip
    run.figure("quadrature", errors_plot(counts, errors))
    run.note(
        "The error falls like w^n: 12 points are enough near the centre, and none are where a "
        "point of the ring sticks (w = 1)."
    )


def errors_plot(counts: fc.Floats, errors: dict[float, fc.Floats]) -> object:
    """Errors over the number of points; straight lines are spectral convergence."""
    figure = fc.view.new_figure(6.5, 4.5)
    axes = figure.subplots()
    for w, error in errors.items():
        axes.semilogy(counts, np.maximum(error, 1e-16), "o-", fillstyle="none", label=f"w = {w:g}")
    axes.set(xlabel="points on the ring", ylabel="relative error of force and torque")
    axes.legend()
    return figure


CASE = fc.Case(
    title="friction of a sliding ring: effective radius, linearisation, quadrature",
    verifies=("Jehle T3",),
    parameters=FrictionRing(),
    run=main,
    quick_s=2,
)

if __name__ == "__main__":
    CASE.main(__file__)
