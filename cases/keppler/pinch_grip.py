"""Pinch grip with soft fingertips (Keppler 4.3.3 and 4.3.4, figures 4.39 and 4.40).

Two fingertips, half balls of a standard linear solid, grip a cube of 4 cm, lift it from the ground
and let it fall; their motion is given. Each has one normal force, of Lee and Radok's equation for
the approach delta(t),

    F'/E + k F = (w' + alpha w)/c_h,     w = delta^(3/2)          (`reference.viscoelastic`)

and the planar friction law of three states kappa (`contact.patch.planar`): two shifts and the spin
of the patch of radius sqrt(R delta_0). The corners of the cube stand on springs and dampers with
smoothed friction. All data but the edge are substitutes; the forces are chosen so that the fingers
stick, as in the source. What is compared are closed forms: relaxed force, shift under the weight,
vibration on the fingers, tilt of a grip beside the centre, and fall.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import acos, exp, pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import fecontact as fc

SIDES = (-1.0, 1.0)
CLOSED, LIFT, HOLD, OPEN_AT, END = 0.5, 0.7, 1.7, 2.5, 2.6
"""Ends of closing, pause and lift, start of the opening, end, in s."""
APART = 5e-3
Q, V = slice(0, 7), slice(7, 13)


@dataclass(frozen=True)
class PinchGrip(fc.Parameters):
    """The edge of the source; the other data are substitutes."""

    edge: float = fc.quantity(0.04, "m", fc.POSITIVE)
    mass: float = fc.quantity(0.064, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.02, "m", fc.POSITIVE)
    fast_modulus: float = fc.quantity(25e3, "Pa", fc.POSITIVE)
    modulus: float = fc.quantity(25e3, "Pa", fc.POSITIVE)
    viscosity: float = fc.quantity(1e3, "Pa s", fc.POSITIVE)
    squeeze: float = fc.quantity(2.0, "N", fc.POSITIVE)
    friction: float = fc.quantity(0.8, "", fc.POSITIVE)
    static: float = fc.quantity(1.0, "", fc.POSITIVE)
    stribeck_speed: float = fc.quantity(0.01, "m/s", fc.POSITIVE)
    stiffness: float = fc.quantity(200.0, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(2.0, "N s/m", fc.POSITIVE)
    lift: float = fc.quantity(0.05, "m", fc.POSITIVE)
    offset: float = fc.quantity(0.0, "m", fc.NON_NEGATIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    tip = fc.derived(
        "fingertip of an incompressible solid",
        lambda p: fc.reference.HertzCreep(p.fast_modulus, p.modulus, p.viscosity, 0.5, p.radius),
    )
    approach = fc.derived(
        "approach in m at which a fast squeeze gives its force",
        lambda p: p.tip.elastic(p.squeeze, p.fast_modulus + p.modulus),
    )

    @property
    def law(self) -> fc.PlanarFriction:
        """Friction of a fingertip."""
        mu = fc.Stribeck(self.friction, self.static, self.stribeck_speed, 2.0)
        patch = fc.HertzPatch(sqrt(self.radius * self.approach))
        return fc.PlanarFriction(fc.AreaFriction(patch, mu), self.stiffness, self.damping)


@dataclass(frozen=True)
class Fingertip:
    """One finger; `side` is the sign of its position along y."""

    p: PinchGrip
    side: float
    law: fc.PlanarFriction
    travel: Sequence[fc.SmoothStep]
    up: fc.SmoothStep

    def moved(self, t: float) -> tuple[fc.Floats, fc.Floats]:
        """Position and velocity of the centre of the ball."""
        p, side = self.p, self.side
        out = 0.5 * p.edge + p.radius + APART + sum(step.value(t) for step in self.travel)
        speed = sum(step.rate(t) for step in self.travel)
        height = 0.5 * p.edge + self.up.value(t)
        position = np.array([p.offset, side * out, height])
        return position, np.array([0.0, side * speed, self.up.rate(t)])

    def act(
        self, t: float, q: fc.Floats, v: fc.Floats, state: fc.Floats
    ) -> tuple[fc.Floats, fc.Floats, float]:
        """Generalised force (6,) on the cube, rates (4,) of kappa and of the force, lost power."""
        centre, speed = self.moved(t)
        turn = fc.quaternion_matrix(q[3:])
        n, along = turn @ np.array([0.0, self.side, 0.0]), turn[:, 0]
        axes = np.array([along, np.cross(n, along), n])
        middle = q[:3] + np.array([0.0, 0.0, 0.5 * self.p.edge])
        depth = self.p.radius + 0.5 * self.p.edge - float((centre - middle) @ n)
        arm = centre - (self.p.radius - depth) * n - middle
        spin = turn @ v[3:]
        relative = axes @ (v[:3] + np.cross(spin, arm) - speed)
        force, rate = self.squeezed(depth, float(relative[2]), float(state[3]))
        if force <= 0.0:
            return np.zeros(6), np.array([*(-1e3 * state[:3]), rate]), 0.0
        rates = self.law.rate(state[:3], np.array([*relative[:2], spin @ n]), force)
        push = axes.T @ np.array([*rates.force[:2], -force])
        moment = turn.T @ (np.cross(arm, push) + rates.force[2] * n)
        return np.concatenate([push, moment]), np.array([*rates.z_rate, rate]), rates.power

    def squeezed(self, depth: float, speed: float, force: float) -> tuple[float, float]:
        """Normal force that acts, and the rate of its state, by Lee and Radok's equation."""
        if depth <= 0.0:
            return 0.0, -1e3 * force
        return force, self.p.tip.force_rate(depth, speed, force)


@dataclass(frozen=True)
class Grip:
    """Cube on the ground between two fingers, as one first-order system."""

    p: PinchGrip
    fingers: Sequence[Fingertip]
    system: fc.System = field(repr=False)

    def rate(self, t: float, y: fc.Floats) -> fc.Floats:
        """Rates of q, v, of kappa and force of each finger."""
        q, v = y[Q], y[V]
        state = fc.State(t, q, v)
        force, rates = self.system.force(state), []
        for number, finger in enumerate(self.fingers):
            push, rate, _ = finger.act(t, q, v, y[13 + 4 * number : 17 + 4 * number])
            force, rates = force + push, [*rates, rate]
        a = self.system.accelerations(state, force=force)[0]
        return np.concatenate([self.system.rate(q, v), a, *rates])

    def moved(
        self, y: fc.Floats, span: tuple[float, float], step: float
    ) -> tuple[fc.Floats, fc.Floats]:
        """Times (k,) and states (21, k)."""
        times = np.append(np.arange(span[0], span[1] - 0.5 * step, step), span[1])
        found = solve_ivp(self.rate, span, y, "Radau", times, rtol=1e-5, atol=1e-7)
        return found.t, found.y


REFERENCES = fc.References("""
    vibration | vibration in the hold: largest rise             |  | µm | 0.002 rel
    time      | vibration in the hold: time of the largest rise |  | ms | 0.1
    *         | 79.06 rad/s, damping ratio 0.395
    tilt | tilt of a grip 3 mm beside the centre |  | degrees | 0.1
    *    | 2 K_33 phi = m g e cos phi | varied=offset; full
    force | finger: force in the hold |  | N     | 1e-4 | Hertz contact of E_2
    shift | finger: shift in the hold |  | mm    | 1e-3 | m g/(2 K)
    rise  | rise up to the hold       |  | mm    | 2e-3 | lift - m g/(2 K)
    fall  | fall: acceleration        |  | m/s^2 | 1e-4 | -g
""")


def grip(p: PinchGrip) -> Grip:
    """Cube, ground and fingers."""
    inertia, half = p.mass * p.edge**2 / 6.0, 0.5 * p.edge
    cube = fc.RigidBody("cube", p.mass, fc.DOFS, (inertia,) * 3, position=(0.0, 0.0, half))
    corners = half * np.array([[x, y, -1.0] for x in SIDES for y in SIDES])
    feet, floor = fc.Surface(corners, np.ones(4)), fc.RigidFace(None, fc.Plane())
    laws = fc.PenaltyNormal(5e3, 5.0), fc.RegularisedCoulomb(0.5, 0.01, "tanh")
    ground = fc.ContactPair(cube, feet, floor, *laws, "ground")
    system = fc.System([cube], [ground, fc.Gravity([cube], (0.0, 0.0, -p.gravity))])
    way = APART + p.approach
    travel = fc.SmoothStep(CLOSED, high=-way), fc.SmoothStep(0.05, OPEN_AT, high=way)
    up, law = fc.SmoothStep(HOLD - LIFT, LIFT, high=p.lift), p.law
    return Grip(p, [Fingertip(p, side, law, travel, up) for side in SIDES], system)


def gripped(p: PinchGrip) -> fc.Floats:
    """State at the end of closing: the cube has not moved, both fingers press alike."""
    finger = grip(p).fingers[1]

    def rate(t: float, force: fc.Floats) -> fc.Floats:
        position, speed = finger.moved(t)
        depth = p.radius + 0.5 * p.edge - float(position[1])
        return np.array([finger.squeezed(depth, -float(speed[1]), float(force[0]))[1]])

    pressed = solve_ivp(rate, (0.0, CLOSED), np.zeros(1), rtol=1e-9, atol=1e-12, max_step=1e-2)
    y = np.zeros(21)
    y[2], y[3] = -p.mass * p.gravity / (4.0 * 5e3), 1.0
    y[[16, 20]] = pressed.y[0, -1]
    return y


def lifted(run: fc.Run[PinchGrip]) -> tuple[fc.Floats, fc.Floats]:
    """The whole scene: grip, lift, hold, fall."""
    p, whole = run.parameters, grip(run.parameters)
    t, y = whole.moved(gripped(p), (CLOSED, END), 2e-3)
    hold = int(np.searchsorted(t, OPEN_AT - 0.01))
    relaxed = p.squeeze * p.modulus / (p.modulus + p.fast_modulus)
    shift = p.mass * p.gravity / (2.0 * p.stiffness)
    for side, first in (("left", 13), ("right", 17)):
        computed = {
            "force": (y[first + 3, hold], relaxed),
            "shift": (1e3 * float(abs(y[first + 1, hold])), 1e3 * shift),
        }
        run.compare(REFERENCES, computed, part=True, label=side)
    height = p.lift - shift
    run.row(REFERENCES, "rise", 1e3 * float(y[2, hold] - y[2, 0]), 1e3 * height)
    free = (t > OPEN_AT + 0.03) & (y[2] > 1e-3)
    slope = float(np.polyfit(t[free], y[9, free], 1)[0])
    run.row(REFERENCES, "fall", slope, -p.gravity)
    return t, y


def vibration(run: fc.Run[PinchGrip], held: fc.Floats) -> None:
    """Vertical vibration of the held cube on both fingers, from a small speed."""
    p, whole = run.parameters, grip(run.parameters)
    y = held.copy()
    y[9] += (speed := 1e-3)
    omega = sqrt(2.0 * p.stiffness / p.mass)
    zeta = p.damping / (p.mass * omega)
    t, y = whole.moved(y, (OPEN_AT - 0.3, OPEN_AT - 0.2), 1e-4)
    highest = speed / omega * exp(-zeta / sqrt(1.0 - zeta**2) * acos(zeta))
    run.row(REFERENCES, "vibration", 1e6 * float((y[2] - y[2, 0]).max()), 1e6 * highest)
    when = acos(zeta) / (omega * sqrt(1.0 - zeta**2))
    run.row(REFERENCES, "time", 1e3 * float(t[np.argmax(y[2])] - t[0]), 1e3 * when)


def beside_the_centre(run: fc.Run[PinchGrip]) -> None:
    """A grip 3 mm beside the centre turns the cube until both patches bear the moment."""
    p = replace(run.parameters, offset=3e-3)
    t, y = grip(p).moved(gripped(p), (CLOSED, OPEN_AT), 2e-3)
    weight, spring = p.mass * p.gravity, 2.0 * p.stiffness * p.law.shape[2]
    angle = float(brentq(lambda a: spring * a - weight * p.offset * np.cos(a), 0.0, 1.0))
    inertia = p.mass * (p.edge**2 / 6.0 + p.offset**2)
    last = t > OPEN_AT - 2.0 * pi * sqrt(inertia / spring)  # it still swings a little
    found = 2.0 * float(np.arcsin(-y[5, last]).mean())
    run.row(REFERENCES, "tilt", np.degrees(found), np.degrees(angle))


def main(run: fc.Run[PinchGrip]) -> None:
    """Grip, lift, hold, fall; vibration, tilt."""
    t, y = lifted(run)
    vibration(run, y[:, int(np.searchsorted(t, OPEN_AT - 0.3))])
    if not run.quick:
        beside_the_centre(run)
    figure = fc.view.history_panels({
        "height / mm": {"cube": (t, 1e3 * y[2])},
        "force / N": {
            "left finger": (t, np.maximum(y[16], 0.0)),
            "right finger": (t, np.maximum(y[20], 0.0)),
        },
        "vertical shift / mm": {"left finger": (t, 1e3 * y[14]), "right finger": (t, 1e3 * y[18])},
    })  # fmt: skip
    run.figure("pinch_grip", figure)


CASE = fc.Case(__doc__, ("Keppler T26",), PinchGrip(), main, quick_s=10.0)

if __name__ == "__main__":
    CASE.main(__file__)
