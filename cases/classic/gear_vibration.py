"""Vibration of two geared shafts on elastic flanks: frequency, ringing after a step, backlash.

The stage of classic/gear_pair. Two free shafts swing on the stiffness c of their mesh with
omega^2 = c (r_b1^2/J_1 + r_b2^2/J_2). A step of the torque lets them ring about the tooth force N_0
of the rigid mesh; with the flanks just touching

    N = N_0 (1 - e(t)) + d s',  s = N_0/c (1 - e(t)),  e = exp(-a t) (cos w t + a/w sin w t) .

Over the angle the mesh has both flanks and the free way of the backlash between them.
"""

from math import cos, sqrt

import numpy as np

import fecontact as fc

stage = fc.load_module("classic/gear_pair")
GearStage, gears, shafts, elastic = stage.GearStage, stage.gears, stage.shafts, stage.elastic

REFERENCES = fc.References("""
    frequency | frequency of the mesh   |  | Hz  | 1e-09 rel
    growth    | growth rate of the mesh |  | 1/s
    *         | c (r_b1^2/J_1 + r_b2^2/J_2)
    ringing       | ringing: largest error of the tooth force | 0.0 |  | 1e-6 |  | method=projected
    ringing_order | ringing: order of the tooth force         | 2.0 |  | 0.15 |  | method=implicit
    *             | oscillator under a step
    moment | error of the moment over the angle | 0.0 |  | 1e-9
    *      | c (r_b1 cos(beta_b))^2 beyond the backlash
""")


def main(run: fc.Run[GearStage]) -> None:
    """Frequencies, ringing, backlash."""
    frequencies(run)
    ringing(run)
    backlash(run)


def frequencies(run: fc.Run[GearStage]) -> None:
    """Two free shafts on the mesh stiffness: a free rotation and one damped frequency."""
    p = run.parameters
    pair, (one, two) = gears(p), shafts(p)
    system = fc.System([one, two], [elastic(p, one, two)])
    state = fc.State(0.0, np.array([1e-4, 0.0]), np.zeros(2))
    modes = fc.complex_modes(fc.linearise(system, state))
    across = cos(pair.base_helix_angle) ** 2 * p.face_width
    inertias = p.inertia_1, p.inertia_2
    omega = fc.reference.mesh_frequency(p.mesh_stiffness * across, pair.base_radii, inertias)
    decay = 0.5 * p.mesh_damping / p.mesh_stiffness * omega**2
    top = int(np.argmax(modes.frequency))
    damped = sqrt(max(omega**2 - decay**2, 0.0)) / (2.0 * np.pi)
    run.row(REFERENCES, "frequency", modes.frequency[top], damped)
    run.row(REFERENCES, "growth", modes.growth[top], -decay, 1e-8 * omega)


def ringing(run: fc.Run[GearStage]) -> None:
    """Step of the torque on two free shafts at rest, teeth just touching."""
    p = run.parameters
    pair, (one, two) = gears(p), shafts(p)
    mesh = elastic(p, one, two)
    system = fc.System([one, two], [mesh, fc.Torque(one, (0.0, 0.0, p.torque))])
    lever, across = (r * cos(pair.base_helix_angle) for r in (pair.base_radius, 1.0))
    c, d = p.mesh_stiffness * p.face_width, p.mesh_damping * p.face_width
    omega = fc.reference.mesh_frequency(c * across**2, pair.base_radii, (p.inertia_1, p.inertia_2))
    a = 0.5 * d / c * omega**2
    w = sqrt(omega**2 - a**2)
    fraction = p.inertia_2 / p.ratio**2 / (p.inertia_1 + p.inertia_2 / p.ratio**2)
    N_0 = p.torque * fraction / lever

    def exact(t: fc.Floats) -> fc.Floats:
        decay = np.exp(-a * t)
        e = decay * (np.cos(w * t) + a / w * np.sin(w * t))
        return N_0 * (1.0 - e) + d * N_0 / c * decay * omega**2 / w * np.sin(w * t)

    def force(motion: fc.Result) -> fc.Floats:
        pairs = zip(motion.q, motion.v, strict=True)
        return np.array([mesh.tooth_force(0.0, q, v)[0] for q, v in pairs])

    period, rest = 2.0 * np.pi / w, system.rest()
    end, output = 3.0 * period, period / 20.0
    sharp = fc.simulate(system, end, rest, "projected", output, rtol=1e-9, atol=1e-14)
    coarse, fine = (
        fc.simulate(system, end, rest, "implicit", output, step=period / n) for n in (40, 80)
    )
    run.audit(fine, method="implicit")
    errors = [float(np.abs(force(m) - exact(m.t)).max()) / N_0 for m in (sharp, coarse, fine)]
    computed = {"ringing": errors[0], "ringing_order": fc.observed_order(errors[1:])}
    run.compare(REFERENCES, computed, part=True)
    curve, axes = {"closed form": exact(sharp.t)}, ("time / ms", "tooth force / N")
    dots = {"projected": force(sharp), "implicit, 80 steps a period": force(fine)}
    figure = fc.view.curves_plot(1e3 * sharp.t, curve, *axes, dots=dots)
    run.figure("ringing", figure)


def backlash(run: fc.Run[GearStage]) -> None:
    """Moment on shaft 1 over its angle, with shaft 2 held: both flanks and the free way."""
    p = run.parameters
    pair, (one, two) = gears(p), shafts(p)
    mesh = fc.ElasticGearMesh(one, two, pair, p.mesh_stiffness, per_width=True)
    lever = pair.base_radius * cos(pair.base_helix_angle)
    free = pair.backlash / lever
    angle = np.linspace(-1.5, 1.5, 301) * free if free else np.linspace(-1.5e-3, 1.5e-3, 301)
    moment = np.array([mesh.force(0.0, np.array([a, 0.0]), np.zeros(2))[0] for a in angle])
    beyond = np.maximum(np.abs(angle) - 0.5 * free, 0.0)
    expected = -np.sign(angle) * p.mesh_stiffness * p.face_width * lever**2 * beyond
    error = np.abs(moment - expected).max() / np.abs(expected).max()
    run.row(REFERENCES, "moment", error)
    curve, axes = {"moment of the mesh": moment}, ("angle of shaft 1 / mrad", "moment / (N m)")
    figure = fc.view.curves_plot(1e3 * angle, curve, *axes)
    run.figure("backlash", figure)


VERIFIES = ("frequency of two geared shafts",)
CASE = fc.Case(__doc__, VERIFIES, GearStage(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
