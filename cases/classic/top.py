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
from scipy.interpolate import CubicSpline

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
        if self.exact.discriminant <= 0.0:
            least = self.exact.critical_spin * sqrt(cos(self.tilt))
            raise fc.InputError(
                f"invalid spin = {self.spin} rad/s: expected > {least:.6g} for steady precession"
            )

    tip_inertia = fc.derived(
        "A, across the axis about the tip", lambda p: p.inertia + p.mass * p.height**2
    )
    weight_moment = fc.derived("m g l", lambda p: p.mass * p.gravity * p.height)
    exact = fc.derived(
        "closed forms",
        lambda p: fc.reference.HeavyTop(
            p.tip_inertia, p.axial_inertia, p.weight_moment, p.spin, p.tilt
        ),
    )


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
    dofs, position = fc.DOFS[:5] if spin else turning, (0.0, 0.0, p.height)
    top = fc.RigidBody("top", p.mass, dofs, top_inertia, position=position, spin=spin)
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
    for name, speed in p.exact.precessions.items():
        t_end = (0.25 if run.quick else 2.0) * 2.0 * pi / max(speed, 0.2 * p.spin)
        motion = moved(top, start(p, top, speed), t_end, 24)
        found = azimuth(motion)[-1] / t_end
        run.row(REFERENCES, "precession", found, speed, label=name, method=form)
        change = np.abs(tilt(motion) - p.tilt).max()
        label = f"of the tilt in {name} precession"
        run.row(REFERENCES, "change", change, label=label, method=form)


def nutation(run: fc.Run[Top]) -> None:
    """Small nutation about slow precession; its frequency from the turning points of the tilt."""
    p = run.parameters
    top, Omega = system(p, FORMS[2]), p.exact.precessions["slow"]
    nu = p.exact.nutation(Omega)
    t_end = 3.0 * 2.0 * pi / nu
    motion = moved(top, start(p, top, Omega, 1e-4 * nu), t_end, 120)
    turning = CubicSpline(motion.t, tilt(motion)).derivative().roots(extrapolate=False)
    found = pi * (len(turning) - 1) / (turning[-1] - turning[0])
    run.row(REFERENCES, "small", found, nu, method=FORMS[2])


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
    t_end, paths = (1.0 if run.quick else 3.0) * p.exact.cusp_period(), {}
    for form in FORMS:
        top = system(p, form)
        motion = moved(top, start(p, top, 0.0), t_end, 60)
        paths[form] = motion
        rows = {
            "height of the axis": axis(motion)[:, 2] - p.exact.cusp_height(motion.t),
            "azimuth at the last cusp": azimuth(motion)[-1] - p.exact.cusp_azimuth(t_end),
        }
        for name, error in rows.items():
            run.row(REFERENCES, "cusps", np.abs(error).max(), label=name, method=form)
        energy = np.ptp(motion.energy()) / (0.5 * p.axial_inertia * p.spin**2)
        vertical = motion.momentum()[1][:, 2]
        computed = {"energy": energy, "momentum": np.ptp(vertical) / vertical[0]}
        run.compare(REFERENCES, computed, part=True, method=form)
    curve = {"elliptic functions": np.degrees(np.arccos(p.exact.cusp_height(motion.t)))}
    dots = {form: np.degrees(tilt(path)) for form, path in paths.items()}
    figure = fc.view.curves_plot(1e3 * motion.t, curve, "time / ms", "tilt / deg", dots=dots)
    run.figure("nutation", figure)


def sleeping(run: fc.Run[Top]) -> None:
    """Upright top: whirl at the roots of A z^2 - C n z + m g l = 0, unstable below a spin."""
    p = run.parameters
    critical = p.exact.critical_spin
    error = 1e-8 * critical
    for form in FORMS[0], FORMS[2]:
        for factor in (0.6, 1.5):
            top, roots = system(p, form, factor * critical), p.exact.upright(factor * critical)
            modes = fc.complex_modes(fc.linearise(top, fc.steady_state(top).state))
            if factor < 1.0:
                about = {"label": f"at {factor:g} of the critical spin", "method": form}
                growth = modes.leading_growth, roots.imag.max()
                run.row(REFERENCES, "growth", *growth, error, **about)
                continue
            found, known = np.sort(modes.eigenvalues.imag), np.sort(roots.real)
            for k, name in enumerate(("slow", "fast")):
                about = {"label": f"{name} whirl of the upright top at {factor:g}", "method": form}
                run.row(REFERENCES, "whirl", found[k], known[k], error, **about)


VERIFIES = ("steady precession, both roots", "nutation by elliptic functions", "sleeping top")
CASE = fc.Case(__doc__, VERIFIES, Top(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
