"""Models of Siconos for `bouncing_ball` and `block_on_feet`; Debian's interpreter runs this file.

    /usr/bin/python3 benchmarks/siconos_models.py MODEL JSON

prints one line of JSON: CPU time in s, the last state, and what the solver says. MODEL is

    ball      Siconos' kernel: TimeStepping with MoreauJeanOSI, LCP by Lemke, loop in C++
    block     Siconos' kernel: linear system with constant relations, NSGS
    numerics  the same steps written with numpy, Siconos' fc3d_nsgs for the contacts
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

TOLERANCE, SWEEPS = 1e-10, 20_000
REPEATS = 3


def ball(height, restitution, gravity, step, span):
    """A mass that falls on the ground."""
    body = sk.LagrangianLinearTIDS([height], [0.0], [[1.0]])
    body.setFExtPtr([-gravity])
    contact = sk.Interaction(sk.NewtonImpactNSL(restitution), sk.LagrangianLinearTIR([[1.0]]))
    system = sk.NonSmoothDynamicalSystem(0.0, span)
    system.insertDynamicalSystem(body)
    system.link(contact, body)
    times, solver = sk.TimeDiscretisation(0.0, step), sk.LCP(sn.SICONOS_LCP_LEMKE)
    simulation = sk.TimeStepping(system, times, sk.MoreauJeanOSI(0.5), solver)
    spent = timed(simulation.run)
    return {"cpu": spent, "q": body.q().tolist(), "v": body.velocity().tolist()}


def rows_of(feet):
    """Velocities (3, 6) of each foot, normal first, by those of the block."""
    for x, y, z in feet:
        turning = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
        yield np.hstack([np.eye(3), turning])[[2, 0, 1]]


def block(feet, mass, stiffness, gravity, mu, speed, step, span):
    """A block on feet and springs."""
    body = sk.LagrangianLinearTIDS(np.zeros(6), np.array(speed), np.diag(mass),
                                   np.diag(stiffness), np.zeros((6, 6)))  # fmt: skip
    body.setFExtPtr(np.array([0.0, 0.0, -mass[2] * gravity, 0.0, 0.0, 0.0]))
    system = sk.NonSmoothDynamicalSystem(0.0, span)
    system.insertDynamicalSystem(body)
    law = sk.NewtonImpactFrictionNSL(0.0, 0.0, mu, 3)
    contacts = [sk.Interaction(law, sk.LagrangianLinearTIR(rows)) for rows in rows_of(feet)]
    for contact in contacts:
        system.link(contact, body)
    solver = sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
    options = solver.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = SWEEPS
    times = sk.TimeDiscretisation(0.0, step)
    simulation = sk.TimeStepping(system, times, sk.MoreauJeanOSI(0.5), solver)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    sweeps, residual = [], 0.0

    def run():
        nonlocal residual
        while simulation.hasNextEvent():
            simulation.computeOneStep()
            simulation.nextStep()
            sweeps.append(int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]))
            residual = max(residual, float(options.dparam[sn.SICONOS_DPARAM_RESIDU]))

    spent = timed(run)
    found = {"q": body.q().tolist(), "v": body.velocity().tolist()}
    return found | {"cpu": spent, "sweeps": float(np.mean(sweeps)), "residual": residual}


def numerics(feet, mass, stiffness, gravity, mu, speed, step, span):
    """The same steps, of the theta method with theta = 1/2, with the matrix W of the contacts."""
    H, M, K = np.vstack(list(rows_of(feet))), np.diag(mass), np.diag(stiffness)
    inverse = np.linalg.inv(M + 0.25 * step**2 * K)
    count = len(feet)
    weight = np.array([0.0, 0.0, -mass[2] * gravity, 0.0, 0.0, 0.0])
    options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
    options.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = SWEEPS
    problem = sn.FrictionContactProblem(3, count, H @ inverse @ H.T, np.zeros(3 * count),
                                        np.full(count, mu))  # fmt: skip
    q, v, impulse, u = np.zeros(6), np.array(speed), np.zeros(3 * count), np.zeros(3 * count)
    sweeps, residual = [], 0.0

    def run():
        nonlocal q, v, residual
        for _ in range(round(span / step)):
            free = v + step * inverse @ (weight - K @ (q + 0.5 * step * v))
            problem.q = H @ free
            sn.fc3d_nsgs(problem, impulse, u, options)
            after = free + inverse @ (H.T @ impulse)
            q, v = q + 0.5 * step * (v + after), after
            sweeps.append(int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]))
            residual = max(residual, float(options.dparam[sn.SICONOS_DPARAM_RESIDU]))

    spent = timed(run)
    found = {"q": q.tolist(), "v": v.tolist()}
    return found | {"cpu": spent, "sweeps": float(np.mean(sweeps)), "residual": residual}


def timed(function):
    """CPU time in s of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def main():
    """Run a model some times, and print the fastest."""
    name, given = sys.argv[1:]
    model = {"ball": ball, "block": block, "numerics": numerics}[name]
    runs = [model(**json.loads(given)) for _ in range(REPEATS)]
    print(json.dumps(min(runs, key=lambda run: run["cpu"])))


if __name__ == "__main__":
    main()
