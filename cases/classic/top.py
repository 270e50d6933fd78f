"""Heavy symmetric top: steady precession, nutation, the sleeping top.

With the moments of inertia A about the tip, C about the axis, spin n = phi' cos(theta) + psi'
about the axis, tilt theta and weight m g at the distance l from the tip

    A cos(theta) Omega^2 - C n Omega + m g l = 0                 steady precession, two roots
    nu^2 = (C n/A - 2 Omega cos(theta))^2 + Omega^2 sin(theta)^2     small nutation about it
    u'^2 = beta (u - u_1)(u - u_2)(u - u_3),   u = cos(theta)    any nutation: elliptic functions

(Goldstein, Classical Mechanics, section 5.7). The top is built three times: turning about its fixed
tip; as free body on a ball joint; on a ball joint, in a frame that does not spin ("rotor frame").
"""

from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.interpolate import CubicSpline
from scipy.special import ellipj, ellipk

import fecontact as fc

FORMS = ("fixed tip", "ball joint", "rotor frame")


@dataclass(frozen=True)
class Top(fc.Parameters):
    """A toy top; its moments of inertia are about the centre of mass."""

    mass: float = fc.quantity(0.5, "kg", fc.POSITIVE)
    height: float = fc.quantity(0.06, "m", fc.POSITIVE)
    inertia: float = fc.quantity(4e-4, "kg m^2", fc.POSITIVE)
    axial_inertia: float = fc.quantity(6e-4, "kg m^2", fc.POSITIVE)
    spin: float = fc.quantity(150.0, "rad/s", fc.POSITIVE)
    tilt: float = fc.quantity(radians(30.0), "rad", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)

    def validate(self) -> None:
        """Steady precession at the tilt must exist."""
        if self.discriminant <= 0.0:
            raise fc.InputError(
                f"spin = {self.spin} rad/s is not possible: without steady precession at this "
                "tilt; it must be larger"
            )

    tip_inertia = fc.derived(
        "A, across the axis about the tip", lambda p: p.inertia + p.mass * p.height**2
    )
    weight_moment = fc.derived("m g l", lambda p: p.mass * p.gravity * p.height)

    @property
    def discriminant(self) -> float:
        """(C n)^2 - 4 A m g l cos(theta)."""
        moment = 4.0 * self.tip_inertia * self.weight_moment * cos(self.tilt)
        return (self.axial_inertia * self.spin) ** 2 - moment

    @property
    def precessions(self) -> dict[str, float]:
        """Slow and fast steady precession in rad/s."""
        root, twice = sqrt(self.discriminant), 2.0 * self.tip_inertia * cos(self.tilt)
        spin = self.axial_inertia * self.spin
        return {"slow": (spin - root) / twice, "fast": (spin + root) / twice}


def system(p: Top, form: str, spin: float = 0.0) -> fc.System:
    """Top in one of the three forms, upright; a given spin is prescribed."""
    top_inertia = (p.inertia, p.inertia, p.axial_inertia)
    if form == "fixed tip":
        A = p.tip_inertia
        dofs = ("rx", "ry") if spin else ("rx", "ry", "rz")
        top = fc.RigidBody("top", p.mass, dofs, (A, A, p.axial_inertia), spin=spin)
        weight = fc.Force(top, (0.0, 0.0, -p.mass * p.gravity), (0.0, 0.0, p.height))
        return fc.System([top], [weight])
    turning = fc.DOFS if form == "ball joint" else (*fc.DOFS[:5], "spin")
    top = fc.RigidBody(
        "top",
        p.mass,
        fc.DOFS[:5] if spin else turning,
        top_inertia,
        position=(0.0, 0.0, p.height),
        spin=spin,
    )
    tip = fc.Spherical(None, top, point_b=(0.0, 0.0, -p.height), name="tip")
    return fc.System([top], [tip, fc.Gravity([top], (0.0, 0.0, -p.gravity))])


def start(p: Top, top: fc.System, precession: float, tilt_rate: float = 0.0) -> fc.State:
    """Tilted about y, precessing, with the given spin about its axis.

    In body axes (x in the plane of tilt) omega = (-Omega sin(theta), theta', n).
    """
    names = top.coordinates
    turn = {"top.ry": p.tilt}
    omega = {"top.rx": -precession * sin(p.tilt), "top.ry": tilt_rate}
    omega["top.spin" if "top.spin" in names else "top.rz"] = p.spin
    if "top.ux" in names:  # the centre of mass moves with the tilt
        turn |= {"top.ux": p.height * sin(p.tilt), "top.uz": p.height * (cos(p.tilt) - 1.0)}
        omega |= {
            "top.ux": p.height * cos(p.tilt) * tilt_rate,
            "top.uy": p.height * sin(p.tilt) * precession,
            "top.uz": -p.height * sin(p.tilt) * tilt_rate,
        }
    return top.state(q=turn, v=omega)


def axis(motion: fc.Result) -> fc.Floats:
    """Axis of the top over time (k, 3), in space."""
    first = 3 if "top.ux" in motion.system.coordinates else 0
    return np.array([fc.quaternion_matrix(q[first : first + 4])[:, 2] for q in motion.q])


def tilt(motion: fc.Result) -> fc.Floats:
    """Angle theta over time."""
    e = axis(motion)
    return np.asarray(np.arctan2(np.hypot(e[:, 0], e[:, 1]), e[:, 2]))


def azimuth(motion: fc.Result) -> fc.Floats:
    """Precession angle over time."""
    e = axis(motion)
    return np.unwrap(np.arctan2(e[:, 1], e[:, 0]))


def main(run: fc.Run[Top]) -> None:
    """Steady precession, small nutation, large nutation, sleeping top."""
    for form in FORMS:
        precession(run, form)
    nutation(run)
    cusps(run)
    sleeping(run)


def moved(top: fc.System, state: fc.State, t_end: float, samples: int) -> fc.Result:
    """Motion at tight tolerance."""
    return fc.simulate(
        top, t_end, state, "projected", output=t_end / samples, rtol=1e-8, atol=1e-10
    )


def precession(run: fc.Run[Top], form: str) -> None:
    """Both roots: the tilt stays, and the azimuth runs at constant speed."""
    p = run.parameters
    top = system(p, form)
    for name, speed in p.precessions.items():
        t_end = (0.25 if run.quick else 2.0) * 2.0 * pi / max(speed, 0.2 * p.spin)
        motion = moved(top, start(p, top, speed), t_end, 24)
        found = azimuth(motion)[-1] / t_end
        run.compare(REFERENCES, {"precession": (found, speed)}, part=True, label=name, method=form)
        change = np.abs(tilt(motion) - p.tilt).max()
        computed = {"change": change}
        run.compare(
            REFERENCES, computed, part=True, label=f"of the tilt in {name} precession", method=form
        )


def nutation(run: fc.Run[Top]) -> None:
    """Small nutation about slow precession; its frequency from the turning points of the tilt."""
    p = run.parameters
    top, Omega = system(p, FORMS[2]), p.precessions["slow"]
    ratio = p.axial_inertia * p.spin / p.tip_inertia
    nu = sqrt((ratio - 2.0 * Omega * cos(p.tilt)) ** 2 + (Omega * sin(p.tilt)) ** 2)
    t_end = 3.0 * 2.0 * pi / nu
    motion = moved(top, start(p, top, Omega, 1e-4 * nu), t_end, 120)
    turning = CubicSpline(motion.t, tilt(motion)).derivative().roots(extrapolate=False)
    found = pi * (len(turning) - 1) / (turning[-1] - turning[0])
    run.compare(REFERENCES, {"small": (found, nu)}, part=True, method=FORMS[2])


@dataclass(frozen=True)
class Cusps:
    """Exact motion of a top that is let go at rest but for its spin: u = cos(theta)."""

    p: Top

    def constants(self) -> tuple[float, float, fc.Floats]:
        """Return a = C n/A, beta = 2 m g l/A and the roots u_1 < u_2 < u_3."""
        p = self.p
        a = p.axial_inertia * p.spin / p.tip_inertia
        beta, u = 2.0 * p.weight_moment / p.tip_inertia, cos(p.tilt)
        # at the start u' = phi' = 0, so u_2 = cos(tilt): the others from a quadratic equation
        others = np.roots([beta, -(a**2), a**2 * u - beta])
        return a, beta, np.sort(np.append(others, u))

    def period(self) -> float:
        """Time from cusp to cusp."""
        _, beta, (low, mid, high) = self.constants()
        return float(2.0 * ellipk((mid - low) / (high - low)) / sqrt(0.25 * beta * (high - low)))

    def height(self, t: fc.Floats | float) -> fc.Floats:
        """Return u at times after the start."""
        _, beta, (low, mid, high) = self.constants()
        m = (mid - low) / (high - low)
        sn = ellipj(sqrt(0.25 * beta * (high - low)) * np.asarray(t) + ellipk(m), m)[0]
        return np.asarray(low + (mid - low) * sn**2)

    def azimuth(self, t: float) -> float:
        """Precession angle: the integral of phi' = a (u_2 - u) / (1 - u^2)."""
        a, u_0 = self.constants()[0], cos(self.p.tilt)

        def rate(time: float) -> float:
            u = float(self.height(time))
            return a * (u_0 - u) / (1.0 - u**2)

        return float(quad(rate, 0.0, t, epsabs=1e-13, epsrel=1e-12, limit=200)[0])


REFERENCES = fc.References("""
    precession | precession |     | rad/s | 1e-07 rel
    change     | change     | 0.0 | rad   | 1e-7
    *          | Goldstein, section 5.7
    small | small nutation about slow precession |  | rad/s | 1e-05 rel
    *     | linearised about steady precession
    cusps    | nutation with cusps: error | 0.0 |  | 1e-7 | Jacobi's elliptic functions
    energy   | nutation with cusps: drift of energy | 0.0 |  | 1e-8
    momentum | nutation with cusps: drift of the vertical momentum | 0.0 |  | 1e-8
    *        | conservation
    growth | growth rate of the upright top |  | 1/s
    whirl  | {} of the critical spin        |  | rad/s
    *      | A z^2 - C n z + m g l = 0
""")


def cusps(run: fc.Run[Top]) -> None:
    """Let go without precession: the top falls, and nutates with cusps."""
    p = run.parameters
    exact = Cusps(p)
    t_end = (1.0 if run.quick else 3.0) * exact.period()
    paths = {}
    for form in FORMS:
        top = system(p, form)
        motion = moved(top, start(p, top, 0.0), t_end, 60)
        paths[form] = motion
        e = axis(motion)
        rows = (
            ("height of the axis", np.abs(e[:, 2] - exact.height(motion.t)).max()),
            ("azimuth at the last cusp", abs(azimuth(motion)[-1] - exact.azimuth(t_end))),
        )
        for name, error in rows:
            run.compare(REFERENCES, {"cusps": error}, part=True, label=name, method=form)
        energy = np.ptp(motion.energy()) / (0.5 * p.axial_inertia * p.spin**2)
        vertical = motion.momentum()[1][:, 2]
        computed = {
            "energy": energy,
            "momentum": np.ptp(vertical) / vertical[0],
        }
        run.compare(REFERENCES, computed, part=True, method=form)
    t = motion.t
    figure = fc.view.curves_plot(
        1e3 * t,
        {"elliptic functions": np.degrees(np.arccos(exact.height(t)))},
        "time / ms",
        "tilt / deg",
        dots={form: np.degrees(tilt(path)) for form, path in paths.items()},
    )
    run.figure("nutation", figure)


def sleeping(run: fc.Run[Top]) -> None:
    """Upright top: whirl at the roots of A z^2 - C n z + m g l = 0, unstable below a spin."""
    p = run.parameters
    critical = 2.0 * sqrt(p.tip_inertia * p.weight_moment) / p.axial_inertia
    for form in FORMS[0], FORMS[2]:
        for share in (0.6, 1.5):
            spin = share * critical
            top = system(p, form, spin=spin)
            modes = fc.complex_modes(fc.linearise(top, fc.steady_state(top).state))
            C = p.axial_inertia * spin
            roots = np.roots([p.tip_inertia, -C, p.weight_moment])
            if share < 1.0:
                computed = {"growth": (modes.leading_growth, roots.imag.max())}
                run.compare(
                    REFERENCES,
                    computed,
                    part=True,
                    tolerances={"growth": 1e-8 * critical},
                    label=f"at {share:g} of the critical spin",
                    method=form,
                )
                continue
            for name, found, root in zip(("slow", "fast"), np.sort(modes.eigenvalues.imag),
                                         np.sort(roots.real), strict=True):  # fmt: skip
                computed = {"whirl": (found, root)}
                run.compare(
                    REFERENCES,
                    computed,
                    part=True,
                    tolerances={"whirl": 1e-8 * critical},
                    label=f"{name} whirl of the upright top at {share:g}",
                    method=form,
                )


VERIFIES = ("steady precession, both roots", "nutation by elliptic functions", "sleeping top")
CASE = fc.Case(__doc__, VERIFIES, Top(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
