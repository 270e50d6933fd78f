"""Two shafts with a helical gear pair, by textbook: forces, ratio, power, run-up.

Torque, drag and inertias are those of the stage in Jehle's chapter 6. The mesh is put up three
times: as ideal ratio, as rigid flanks on the line of action, and as elastic flanks with backlash.
The run-up is simulated by both methods. Vibration of the mesh is in classic/gear_vibration.
"""

from dataclasses import dataclass
from math import cos, exp, sin, tan

import numpy as np

import fecontact as fc

SHAFT = ("ux", "uy", "uz", "rz")


@dataclass(frozen=True)
class GearStage(fc.Parameters):
    """A stage of normal module 3 mm."""

    module: float = fc.quantity(3e-3, "m", fc.POSITIVE)
    teeth_1: int = fc.quantity(20, "", fc.at_least(12))
    teeth_2: int = fc.quantity(40, "", fc.at_least(12))
    pressure_angle: float = fc.quantity(0.349065850398866, "rad", fc.POSITIVE)
    helix_angle: float = fc.quantity(0.35, "rad", fc.NON_NEGATIVE)
    face_width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    play: float = fc.quantity(1e-4, "m", fc.NON_NEGATIVE)
    mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)
    inertia_1: float = fc.quantity(1.5e-3, "kg m^2", fc.POSITIVE)
    inertia_2: float = fc.quantity(5e-3, "kg m^2", fc.POSITIVE)
    torque: float = fc.quantity(7.5, "N m", fc.POSITIVE)
    drag: float = fc.quantity(0.1, "N m s", fc.POSITIVE)
    mesh_stiffness: float = fc.quantity(1e10, "N/m per m", fc.POSITIVE)
    mesh_damping: float = fc.quantity(2e4, "N s/m per m", fc.NON_NEGATIVE)
    bearing_stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)
    ratio = fc.derived("speed of shaft 1 over that of shaft 2", lambda p: p.teeth_2 / p.teeth_1)


REFERENCES = fc.References("""
    F_t | error of the tooth force, F_t | 0.0 |  | 1e-12 | F_t = M / r_w
    F_r | error of the tooth force, F_r | 0.0 |  | 1e-12 | F_r = F_t tan(alpha_w)
    F_a | error of the tooth force, F_a | 0.0 |  | 1e-12 | F_a = F_t tan(beta_w)
    *   | textbook | method=both flanks
    lost | lost fraction of the power | 0.0 |  | 1e-13
    *    | the ideal mesh does no work | method=both flanks and directions
    speed  | speed of shaft 1 in the run-up    |  | rad/s
    ratio  | ratio of the speeds in the run-up |  |       | 1e-12 rel | z_2 / z_1
    run_up | tooth force in the run-up         |  | N
    *      | (J_1 + J_2/i^2) omega_1' = M - d omega_1/i^2
    tooth_force | tooth force                 |     | N | 1e-08 rel
    bearings    | error of the bearing forces | 0.0 |   | 1e-8
        | normal of the displaced line of action (Jehle 2016, 3.57)
    *           | M_1 / (r_b1 cos(beta_b)) | method=elastic
    acceleration | acceleration |  | rad/s^2 |  | Jehle 2016, (6.1)
""")


def gears(p: GearStage) -> fc.GearPair:
    """Pair with its centre distance widened by the play."""
    teeth = {"helix_angle": p.helix_angle, "pressure_angle": p.pressure_angle}
    tight = fc.GearPair.from_module(p.module, (p.teeth_1, p.teeth_2), **teeth)
    teeth["distance"] = tight.distance + p.play
    return fc.GearPair.from_module(p.module, (p.teeth_1, p.teeth_2), p.face_width, **teeth)


def shafts(p: GearStage, dofs: tuple[str, ...] = ("rz",)) -> tuple[fc.RigidBody, fc.RigidBody]:
    """Shaft 1 at the origin, shaft 2 beside it."""
    data = ("shaft 1", p.inertia_1, 0.0), ("shaft 2", p.inertia_2, gears(p).distance)
    first, second = (
        fc.RigidBody(name, p.mass, dofs, inertia=(J, J, J), position=(x, 0.0, 0.0))
        for name, J, x in data
    )
    return first, second


def elastic(p: GearStage, one: fc.RigidBody, two: fc.RigidBody) -> fc.ElasticGearMesh:
    """Damped elastic flanks, the front ones just touching."""
    stiffness = p.mesh_stiffness, p.mesh_damping
    return fc.ElasticGearMesh(one, two, gears(p), *stiffness, per_width=True, reference="front")


def main(run: fc.Run[GearStage]) -> None:
    """Forces and power, run-up, compliant bearings."""
    for part in (forces, run_up, simulated_run_up, compliant_bearings):
        part(run)


def forces(run: fc.Run[GearStage]) -> None:
    """Rigid flanks: forces and power for both signs of torque and both directions."""
    p = run.parameters
    pair, (one, two) = gears(p), shafts(p, SHAFT)
    alpha, beta = pair.pressure_angle(), pair.helix_angle()
    worst, lost = dict.fromkeys(("F_t", "F_r", "F_a"), 0.0), 0.0
    for torque in (p.torque, -p.torque):
        mesh = fc.GearMesh(one, two, pair)
        row = mesh.at(0.0, np.zeros(8), np.zeros(8)).jacobian[0]
        mesh = mesh.with_flank(mesh.active_flank(-torque / row[3]))
        row = mesh.at(0.0, np.zeros(8), np.zeros(8)).jacobian[0]
        load = -torque / row[3] * row
        tangential = abs(torque) / pair.pitch_radii()[0]
        side = np.sign(torque)
        textbook = (side * tangential, tangential * tan(alpha), side * tangential * tan(beta))
        for name, found, expected in zip(worst, load[[5, 4, 6]], textbook, strict=True):
            worst[name] = max(worst[name], abs(found - expected) / tangential)
        for speed in (100.0, -100.0):
            v = np.array([0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0, -speed / p.ratio])
            lost = max(lost, abs(load @ v) / abs(torque * speed))
    run.compare(REFERENCES, {**worst, "lost": lost}, part=True)


def driven(p: GearStage) -> dict[str, fc.System]:
    """Torque on shaft 1, drag on shaft 2, coupled by rigid flanks and by the ideal ratio."""
    one, two = shafts(p)
    drag = fc.TorsionSpring(None, two, 0.0, p.drag, name="drag")
    links: dict[str, fc.typing.Constraint] = {"rigid flanks": fc.GearMesh(one, two, gears(p))}
    links["ideal ratio"] = fc.GearRatio(one, two, (p.teeth_1, p.teeth_2))
    torque = fc.Torque(one, (0.0, 0.0, p.torque))
    return {name: fc.System([one, two], [torque, drag, link]) for name, link in links.items()}


def run_up(run: fc.Run[GearStage]) -> None:
    """Same acceleration by mesh and by ratio (Jehle 6.1)."""
    p = run.parameters
    final = p.torque * p.ratio**2 / p.drag
    for method, system in driven(p).items():
        for fraction in (0.0, 0.5, 1.0):
            speed = fraction * final
            state = fc.State(0.0, np.zeros(2), np.array([speed, -speed / p.ratio]))
            found = system.accelerations(state)[0][0]
            inertia = p.inertia_1 + p.inertia_2 / p.ratio**2
            expected = (p.torque - p.drag * speed / p.ratio**2) / inertia
            about = {"label": f"at {fraction:g} of the final speed", "method": method}
            error = 1e-9 * p.torque / p.inertia_1
            run.row(REFERENCES, "acceleration", found, expected, error, **about)


def simulated_run_up(run: fc.Run[GearStage]) -> None:
    """From rest: omega_1 = omega_end (1 - exp(-t/T)), and the tooth force that belongs to it."""
    p = run.parameters
    inertia, final = p.inertia_1 + p.inertia_2 / p.ratio**2, p.torque * p.ratio**2 / p.drag
    T, pair = inertia * p.ratio**2 / p.drag, gears(p)
    lever = pair.base_radius * cos(pair.base_helix_angle)
    tooth = (p.torque - p.inertia_1 * p.torque / inertia * exp(-2.0)) / lever
    for name, system in driven(p).items():
        for method, options in (("projected", {"rtol": 1e-9}), ("implicit", {"step": 0.02 * T})):
            end = fc.simulate(system, 2.0 * T, system.rest(), method, **options)
            about, limit = {"method": f"{name}, {method}"}, 1e-7 if method == "projected" else 2e-5
            speed, expected = end.v[-1], final * (1 - exp(-2.0))
            run.row(REFERENCES, "speed", speed[0], expected, limit * final, **about)
            run.row(REFERENCES, "ratio", -speed[0] / speed[1], p.ratio, **about)
            if name == "rigid flanks":
                run.row(REFERENCES, "run_up", end.lam[-1, 0], tooth, limit * tooth, **about)


def compliant_bearings(run: fc.Run[GearStage]) -> None:
    """Shafts pushed apart by the load.

    The tooth force stays M / (r_b1 cos(beta_b)); its direction follows the pressure angle.
    """
    p = run.parameters
    pair, (one, two) = gears(p), shafts(p, SHAFT)
    c = p.bearing_stiffness
    mesh = fc.ElasticGearMesh(one, two, pair, p.mesh_stiffness, per_width=True, reference="front")
    bearings = [fc.Bearing(b, c, c, name=f"bearing {k}") for k, b in enumerate((one, two), 1)]
    brake = fc.TorsionSpring(None, two, 1e5, name="brake")
    torque = fc.Torque(one, (0.0, 0.0, p.torque))
    system = fc.System([one, two], [*bearings, brake, torque, mesh])
    touching = np.array([0.0, 0.0, 0.0, 1e-4, 0.0, 0.0, 0.0, 0.0])
    state = fc.steady_state(system, touching).state
    u = state.q[:3], state.q[4:7]
    N = float(mesh.tooth_force(0.0, *system.local(mesh, state))[0])
    expected = p.torque / (pair.base_radius * cos(pair.base_helix_angle))
    run.row(REFERENCES, "tooth_force", N, expected)
    way = u[1] - u[0] + [pair.distance, 0.0, 0.0]
    distance = float(np.hypot(way[0], way[1]))
    alpha = pair.pressure_angle(distance)
    line = np.arctan2(way[1], way[0])
    normal = np.array([sin(alpha - line), cos(alpha - line)]) * cos(pair.base_helix_angle)
    push = N * np.array([*normal, sin(pair.base_helix_angle)])
    error = max(np.abs(c * u[1] - push).max(), np.abs(c * u[0] + push).max()) / N
    run.row(REFERENCES, "bearings", error)
    away = f"{1e6 * (distance - pair.distance):.1f} um"
    turned = f"{1e3 * (alpha - pair.pressure_angle()):.2f} mrad"
    run.note(f"the load moves the shafts apart by {away} and the pressure angle by {turned}")


VERIFIES = ("textbook tooth forces", "Jehle (6.1) run-up")
CASE = fc.Case(__doc__, VERIFIES, GearStage(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
