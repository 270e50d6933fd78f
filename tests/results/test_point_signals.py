"""Motion of points of bodies from a file: closed forms, and derivatives of the positions."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Force, Revolute
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results import Result
from fecontact.system import System, posed

KINDS = ("position", "displacement", "velocity", "acceleration")


def test_rim_of_a_wheel(tmp_path):
    """r = 1 m at 6 pi rad/s: position, velocity r omega, acceleration -r omega^2."""
    wheel = RigidBody("wheel", 1.0, DOFS, (0.1, 0.2, 0.1), points={"rim": (1.0, 0.0, 0.0)})
    hinge = Revolute(None, wheel, axis="y", name="hinge")
    system = System([wheel], [hinge])
    omega, file = 6.0 * np.pi, tmp_path / "wheel.h5"
    start = posed(system, {hinge.angle: 0.25}, {hinge.angle: omega})
    options = {"rtol": 1e-11, "atol": 1e-13}
    motion = simulate(system, 1.0, start, "projected", 0.05, store=file, **options)
    result, angle = Result.load(file), 0.25 + omega * motion.t
    c, s, zero = np.cos(angle), np.sin(angle), 0.0 * angle
    place = np.column_stack([c, zero, -s])
    speed = omega * np.column_stack([-s, zero, -c])
    exact = {
        "position": place, "displacement": place - [1.0, 0.0, 0.0], "velocity": speed,
        "acceleration": -(omega**2) * place,
    }  # fmt: skip
    for kind in KINDS:
        size = np.abs(exact[kind]).max()
        for point in ("rim", (1.0, 0.0, 0.0)):
            np.testing.assert_allclose(
                result.path(wheel, point, kind), exact[kind], atol=1e-7 * size, err_msg=kind
            )
        np.testing.assert_array_equal(
            result.path(wheel, "rim", kind), motion.path(wheel, "rim", kind)
        )
    other = RigidBody("wheel", 1.0, DOFS, (0.1, 0.2, 0.3))
    with pytest.raises(
        InputError,
        match=r"not in the simulated system: wheel\.inertia = .*0\.2449.*, .*0\.3741.* now",
    ):
        result.path(other)
    with pytest.raises(InputError, match="unknown body 'hub'"):
        result.path(RigidBody("hub", 1.0))
    for of_file_or_memory in (result, motion):
        with pytest.raises(InputError, match="invalid body = wheel: expected the body"):
            of_file_or_memory.path("wheel")
    with pytest.raises(InputError, match="invalid of = speed"):
        result.path(wheel, "rim", "speed")


def test_corner_of_a_free_elastic_block(tmp_path):
    """A soft block that swings and turns: rates are the derivatives of the positions."""
    solid = ElasticSolid(block(0.1, 0.1, 0.05, cells=(1, 1, 1)), Material(2e6, 0.3, 1e3), "hex2")
    body = ElasticBody("soft", reduce_model(solid, contact=["z_min"], modes=3, method="free"))
    system = System([body], [Force(body, (0.5, 0.2, 0.1), (0.05, 0.05, 0.025))])
    file, dt = tmp_path / "soft.h5", 1e-5
    start = system.state(v={"soft.rz": 2.0, "soft.ux": 0.3})
    options = {"rtol": 1e-10, "atol": 1e-13, "store": file}
    simulate(system, 2e-3, start, "projected", dt, **options)
    result, corner = Result.load(file), (0.05, 0.05, 0.025)
    x, v, a = (result.path(body, corner, kind) for kind in ("position", "velocity", "acceleration"))
    scale = np.abs(a).max()
    np.testing.assert_allclose((x[2:] - x[:-2]) / (2 * dt), v[1:-1], atol=1e-3 * np.abs(v).max())
    np.testing.assert_allclose((v[2:] - v[:-2]) / (2 * dt), a[1:-1], atol=2e-2 * scale)
