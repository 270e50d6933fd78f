"""Laws of contact points in plain numpy, written from their formulas; no code of the package.

A law object is read for its parameters only. Over a step a law gives its values at the end; rates
are those of continuous time. Arrays have one row per point. `WarmBristles` and `CreepingLayer` are
those of `tests/extending`.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import PchipInterpolator

OPEN, STICK, SLIP = 0, 1, 2
OTHERS = {"WarmBristles": 2}
"""Internal variables of a friction law besides its elastic slip."""


def apart(law, z):
    """Internal variables (p, k) of friction besides the elastic slip, and those of the layer."""
    k = 3 + OTHERS.get(type(law).__name__, 0)
    return z[:, 3:k], z[:, k:]


def length(a):
    return np.sqrt((a * a).sum(axis=1))


def rows(a):
    return np.asarray(a)[:, None]


def dot(a, b):
    return (a * b).sum(axis=1)


# ---------------------------------------------------------------------- friction coefficients


def mu_of(law, speed, pressure, sticks):
    """Friction coefficient."""
    if isinstance(law, float):
        return np.full(len(speed), law)
    kind = type(law).__name__
    if kind == "Coulomb":
        return np.where(sticks, law.mu if law.static is None else law.static, law.mu)
    if kind == "Stribeck":
        falls = (law.static - law.mu) * np.exp(-((speed / law.speed) ** law.exponent))
        return np.where(sticks, law.static, law.mu + falls + law.viscous * speed)
    assert kind == "FrictionTable", f"{kind} has no plain form here"
    table, found = np.asarray(law.coefficients), np.empty(len(speed))
    for i in range(len(speed)):
        over = [np.interp(speed[i], law.speeds, column) for column in table.T]
        found[i] = np.interp(pressure[i], law.pressures, over)
    return np.where(sticks, law.static, found)


# ------------------------------------------------------------------------------- normal laws


def adhesive(law):
    """|F_ad|, d_0 and Hertz's constant of an adhesive ball."""
    ball = law.contact
    modulus = ball.pair.young / (2.0 * (1.0 - ball.pair.poisson**2))
    pull = 3.0 * np.pi * ball.radius * ball.surface_energy
    a_0 = (4.0 * np.pi * ball.surface_energy * ball.radius**2 / modulus) ** (1.0 / 3.0)
    return pull, a_0**2 / ball.radius, 4.0 / 3.0 * modulus * np.sqrt(ball.radius)


def adhesive_force(law, d):
    """Hertz's force, and that of the full bond: y^4 - y = d/d_0 by Newton's method from above."""
    pull, d_0, hertz = adhesive(law)
    fold = 4.0 ** (-1.0 / 3.0)
    whole = d / d_0 > fold**4 - fold
    x = np.where(whole, d / d_0, 0.0)
    y = 1.5 + np.abs(x)
    for _ in range(200):
        y = y - (y**4 - y - x) / (4.0 * y**3 - 1.0)
    y = np.where(whole, y, fold)
    return hertz * np.maximum(d, 0.0) ** 1.5, pull * (16.0 / 9.0 * y**6 - 8.0 / 3.0 * y**3)


def stateless_pressure(law, gap, rate):
    """Pressure of the laws without internal variables."""
    kind, d = type(law).__name__, np.maximum(-gap, 0.0)
    if kind == "PenaltyNormal":
        value = -law.stiffness * gap - law.damping * rate
    elif kind == "PowerNormal":
        spring = law.stiffness * d**law.exponent
        root = law.root_damping * np.sqrt(law.stiffness * d ** (law.exponent - 1.0))
        value = spring - (law.hunt_crossley * spring + root) * rate
    else:
        assert kind == "TableNormal", f"{kind} has no plain form here"
        curve, end = PchipInterpolator(law.compressions, law.pressures), law.compressions[-1]
        beyond = np.maximum(d - end, 0.0) * curve.derivative()(end)
        value = curve(np.minimum(d, end)) + beyond - law.damping * rate
    return np.where(gap <= 0.0, np.maximum(value, 0.0), 0.0)


def normal_step(law, gap, rate, before, state, h):
    """Pressure and new internal variables (p, m)."""
    kind = type(law).__name__
    if kind == "SolidLayer":
        slow, fast, tau = law.stiffness, law.fast_stiffness, law.relaxation_time
        y = state[:, 0]
        start = np.maximum(-before, fast / (fast + slow) * y)
        mean = (1.0 - np.exp(-h / tau)) * tau / h
        strain = (start - y) * np.exp(-h / tau) + mean * (-gap - start)
        p = -slow * gap + fast * strain
        free = y * np.exp(-slow / (slow + fast) * h / tau)
        return np.maximum(p, 0.0), rows(np.where(p >= 0.0, -gap - strain, free))
    if kind == "KelvinLayer":
        free = state[:, 0] * np.exp(-law.stiffness * h / law.damping)
        touching = -gap >= free
        p = np.maximum(-law.stiffness * gap - law.damping * rate, 0.0)
        return np.where(touching, p, 0.0), rows(np.where(touching, -gap, free))
    if kind == "JKRNormal":
        z, kept = state[:, 0], np.exp(-h / law.bond_time)
        fold = 4.0 ** (-1.0 / 3.0)
        broken = -gap <= (fold**4 - fold) * adhesive(law)[1]
        z = np.where(gap <= 0.0, 1.0 - (1.0 - z) * kept, np.where(broken, z * kept, z))
        free, bonded = adhesive_force(law, -gap)
        return free + z * (bonded - free), rows(z)
    if kind == "CreepingLayer":
        u, c, k = state[:, 0], law.stiffness, law.hold
        d, free = -gap, u * np.exp(-k * h / law.viscosity)
        closed = (d >= u) | (d > free)
        lost = closed & (d < u)  # for a while
        met = np.where(lost, law.viscosity / k * np.log(np.where(lost, u / d, 1.0)), 0.0)
        start, rest = np.where(lost, d, u), c * d / (c + k)
        settled = rest + (start - rest) * np.exp(-(c + k) * (h - met) / law.viscosity)
        return np.where(closed, c * (d - settled), 0.0), rows(np.where(closed, settled, free))
    return stateless_pressure(law, gap, rate), state


def normal_rate(law, gap, rate, state):
    """Pressure and rates of the internal variables (p, m)."""
    kind = type(law).__name__
    if kind == "SolidLayer":
        slow, fast, y = law.stiffness, law.fast_stiffness, state[:, 0]
        free = fast / (fast + slow) * y
        p = np.maximum(-(slow + fast) * gap - fast * y, 0.0)
        return p, rows((np.maximum(-gap, free) - y) / law.relaxation_time)
    if kind == "KelvinLayer":
        u = state[:, 0]
        p = np.maximum(-law.stiffness * gap - law.damping * rate, 0.0)
        p = np.where(-gap >= (1.0 - 1e-4) * u, p, 0.0)
        return p, rows((p - law.stiffness * u) / law.damping)
    if kind == "JKRNormal":
        z, fold = state[:, 0], 4.0 ** (-1.0 / 3.0)
        broken = -gap <= (fold**4 - fold) * adhesive(law)[1]
        change = np.where(gap <= 0.0, 1.0 - z, np.where(broken, -z, 0.0)) / law.bond_time
        free, bonded = adhesive_force(law, -gap)
        return free + z * (bonded - free), rows(change)
    if kind == "CreepingLayer":
        p = np.maximum(law.stiffness * (-gap - state[:, 0]), 0.0)
        return p, rows((p - law.hold * state[:, 0]) / law.viscosity)
    return stateless_pressure(law, gap, rate), state


# ----------------------------------------------------------------------------- friction laws


def bristle(law, pressure):
    """Spring and damper (p,) of the elasto-plastic laws."""
    if type(law).__name__ in ("ElastoPlastic", "WarmBristles"):
        return np.full(len(pressure), law.stiffness), np.full(len(pressure), law.damping)
    assert type(law).__name__ == "MindlinFriction", f"{type(law).__name__} has no plain form here"
    pair, force = law.ball.pair, np.maximum(pressure, 0.0)
    modulus = pair.young / (2.0 * (1.0 - pair.poisson**2))
    shear = pair.young / (2.0 * (1.0 + pair.poisson))
    radius = (3.0 * force * law.ball.radius / (4.0 * modulus)) ** (1.0 / 3.0)
    c = 4.0 * shear / (2.0 - pair.poisson) * radius
    return c, law.root_damping * np.sqrt(c)


def limit_of(law, slip, pressure, status, state):
    """Friction limit; that of warm bristles falls with theta and rises with w."""
    kind, pushed = type(law).__name__, np.maximum(pressure, 0.0)
    sticks = (status == STICK) & (kind in ("ElastoPlastic", "MindlinFriction", "WarmBristles"))
    limit = mu_of(law.mu, length(slip), pushed, sticks) * pushed
    if kind == "WarmBristles":
        theta, w = state.T
        limit = limit * (1.0 + law.rise * w) / (1.0 + law.fade * theta)
    return limit


def status_of(pressure, limit, slides):
    return np.where(pressure > 0.0, np.where(slides | (limit <= 0.0), SLIP, STICK), OPEN)


def smoothed(law, slip):
    """f(|s|/v_d) s/|s| of regularised friction."""
    speed = length(slip)
    x = speed / law.speed
    f = np.tanh(x) if law.form == "tanh" else 2.0 / np.pi * np.arctan(x)
    return rows(f / speed) * slip


def sliding_part(law, load, along):
    """Beta of Dupont; 1 for Dahl and LuGre."""
    if law.onset < 0.0:
        return np.ones(len(load))
    x = np.clip((load - law.onset) / (1.0 - law.onset), 0.0, 1.0)
    return np.where(along > 0.0, x * x * (3.0 - 2.0 * x), 0.0)


def friction_step(law, trial, shift, slip, pressure, status, h, state):
    """Traction, new elastic slip and others, status, slip work per area; trial = z_n + shift."""
    T, z, status, work = _slip_step(law, trial, shift, slip, pressure, status, h, state)
    if type(law).__name__ == "WarmBristles":
        theta, w = state.T
        kept = np.exp(-h / law.cooling_time)
        theta = theta * kept + law.heat * law.cooling_time * (1.0 - kept) * work / h
        state = np.column_stack([theta, 1.0 - (1.0 - w) * np.exp(-work / law.run_in_work)])
    return T, z, state, status, work


def _slip_step(law, trial, shift, slip, pressure, status, h, state):
    limit, kind = limit_of(law, slip, pressure, status, state), type(law).__name__
    if kind == "RegularisedCoulomb":
        T, closed = -rows(limit) * smoothed(law, slip), pressure > 0.0
        work = np.where(closed, -dot(T, shift), 0.0)
        return T, np.zeros_like(trial), np.where(closed, SLIP, OPEN), work
    if kind == "Bristles":
        return _bristles_step(law, trial, shift, slip, pressure, limit, h)
    c, b = bristle(law, pressure)
    a = rows(c) * trial + rows(b) * slip
    size = length(a)
    slides = size > limit
    e = a / rows(np.where(slides, size, 1.0))
    stiff = np.where(c + b / h > 0.0, c + b / h, 1.0)
    z = (rows(limit) * e + rows(b / h) * (trial - shift)) / rows(stiff)
    path = dot(trial - z, e)
    back = np.where((path < 0.0) & (limit > 0.0), path, 0.0)
    z = z + rows(back) * e
    z = np.where(rows(slides), z, trial)
    T = -np.where(rows(slides), rows(limit) * e, a)
    work = np.where(slides, limit * np.maximum(path, 0.0), 0.0)
    return T, z, status_of(pressure, limit, slides), work


def _bristles_step(law, trial, shift, slip, pressure, limit, h):
    c, b, nu = law.stiffness, law.damping, law.decay
    drag = rows(law.viscous * np.maximum(pressure, 0.0)) * slip
    T, z = -drag, np.zeros_like(trial)
    status, work = np.where(pressure > 0.0, SLIP, OPEN), dot(drag, trial)
    for i in np.flatnonzero(limit > 1e-30 * c):
        dx, s, tr, S = shift[i], slip[i], trial[i], limit[i]
        path, speed = np.sqrt(dx @ dx), np.sqrt(s @ s)
        beta = sliding_part(law, np.array([c * np.sqrt(tr @ tr) / S]), np.array([tr @ dx]))[0]
        lost = beta * (1.0 - nu)
        if lost > 0.0 and tr @ dx < lost * path**2:
            lost = (tr @ dx) / path**2
        k = beta * nu * c / S
        new = (tr - lost * dx) / (1.0 + k * path)
        ds, size = s - dx / h, np.sqrt(new @ new)
        along = new @ ds / size if size > 0.0 else 0.0
        change = (new - tr + dx) / h + (1.0 - lost) * ds
        change = change - k * (speed - path / h) * new - k * (size * ds - along * new)
        pull = c * new + b * change + drag[i]
        T[i], z[i], work[i] = -pull, new, pull @ (tr - new)
        status[i] = (SLIP if beta > 0.0 else STICK) if pressure[i] > 0.0 else OPEN
    return T, z, status, work


def friction_rate(law, z, slip, pressure, status, state):
    """Traction, z' and rates of the others, status, slip power per area."""
    T, change, status, power = _slip_rate(law, z, slip, pressure, status, state)
    rates = state
    if type(law).__name__ == "WarmBristles":
        theta, w = state.T
        heating = law.heat * power - theta / law.cooling_time
        rates = np.column_stack([heating, (1.0 - w) * power / law.run_in_work])
    return T, change, rates, status, power


def _slip_rate(law, z, slip, pressure, status, state):
    limit, kind = limit_of(law, slip, pressure, status, state), type(law).__name__
    if kind == "RegularisedCoulomb":
        T = -rows(limit) * smoothed(law, slip)
        return T, np.zeros_like(z), np.where(pressure > 0.0, SLIP, OPEN), -dot(T, slip)
    if kind == "Bristles":
        c, b, nu = law.stiffness, law.damping, law.decay
        held = limit > 1e-30 * c
        S = np.where(held, limit, 1.0)
        beta = np.where(held, sliding_part(law, c * length(z) / S, dot(z, slip)), 1.0)
        change = rows(1.0 - beta * (1.0 - nu)) * slip
        change = change - rows(beta * nu * length(slip) * c / S) * z
        change = np.where(rows(held), change, 0.0)
        pull = np.where(rows(held), c * z + b * change, 0.0)
        pull = pull + rows(law.viscous * np.maximum(pressure, 0.0)) * slip
        return -pull, change, status_of(pressure, limit, beta > 0.0), dot(pull, slip - change)
    c, b = bristle(law, pressure)
    a = rows(c) * z + rows(b) * slip
    size = length(a)
    slides = size > limit
    T = -np.where(rows(slides), rows(limit / np.where(slides, size, 1.0)) * a, a)
    damped = np.where(b > 0.0, b, 1.0)
    change = np.where(rows(b > 0.0), (-T - rows(c) * z) / rows(damped), 0.0)
    status = status_of(pressure, limit, slides)
    if kind == "MindlinFriction":
        change = np.where(rows(status == OPEN), 0.0, change)
    power = np.where(slides & (b > 0.0), limit * (size - limit) / damped, 0.0)
    return T, change, status, power
