"""Random trees and loops of bodies on joints: compiled steps are those of the general loops."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc

KINDS = (fc.Revolute, fc.Prismatic, fc.Cylindrical, fc.Spherical, fc.Universal, fc.Planar,
         fc.Distance, fc.RigidJoint)  # fmt: skip


def mechanism(seed):
    """Bodies that hang on each other by random joints; one loop, one drive, springs, gravity."""
    rng = np.random.default_rng(seed)
    bodies, joints, coordinates = [], [], []
    for k in range(int(rng.integers(2, 6))):
        inertia = rng.uniform(0.5, 0.7, 3)
        body = fc.RigidBody(
            f"b{k}", rng.uniform(0.5, 2.0), fc.DOFS, tuple(inertia), position=tuple(rng.random(3))
        )
        before = None if not bodies or rng.random() < 0.3 else bodies[rng.integers(len(bodies))]
        bodies.append(body)
        kind, point = KINDS[rng.integers(len(KINDS))], tuple(rng.uniform(-0.3, 0.3, 3))
        options = {"point_b": point, "name": f"j{k}"}
        if kind is fc.Distance:
            options["point_a"] = tuple(rng.uniform(0.5, 1.0, 3))
        elif issubclass(kind, fc.Universal | fc.Spherical | fc.RigidJoint):
            pass
        else:
            options["axis"] = tuple(rng.standard_normal(3))
        joints.append(kind(before, body, **options))
        if kind is fc.Revolute:
            coordinates.append(joints[-1].angle)
    last = bodies[-1]
    springs = [fc.SpringDamper(None, last, 50.0, 1.0, point_a=(2.0, 2.0, 2.0), name="spring")]
    if len(bodies) > 3:
        joints.append(fc.Spherical(bodies[0], last, name="loop"))
    elif coordinates:
        law = fc.Speed(fc.Sine(0.5, 8.0))
        joints.append(fc.PrescribedMotion(coordinates[0], law, "velocity", name="drive"))
    system = fc.System(bodies, [*joints, *springs, fc.Gravity(bodies)])
    guess = fc.State(0.0, system.rest().q, rng.standard_normal(system.size))
    return system, system.consistent(guess).state


@pytest.mark.parametrize("seed", range(16))
def test_compiled_steps_are_those_of_the_general_loop(seed):
    system, start = mechanism(seed)
    for method in ("implicit", "explicit"):
        fast, slow = (
            fc.simulate(system, 0.05, start, method, 0.025, step=2.5e-3, backend=backend)
            for backend in ("compiled", "general")
        )
        assert fast.statistics.compiled == fast.statistics.steps
        # explicit merges welds, whose path differs from that with rows by the error of a step
        merged = method == "explicit" and any(
            isinstance(c, fc.RigidJoint) for c in system.constraints
        )
        tolerance = 1e-3 if merged else 1e-9
        for name in ("q", "v"):
            found, expected = getattr(fast, name), getattr(slow, name)
            atol = tolerance * (1.0 + np.abs(expected).max())
            np.testing.assert_allclose(found, expected, rtol=0.0, atol=atol, err_msg=name)
        position, velocity = fast.drift()
        assert position.max() < 1e-12
        assert velocity.max() < 1e-10
