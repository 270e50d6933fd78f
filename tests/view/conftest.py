"""A small result file: a plate turns by large angles, breathes, and slides on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.mesh import block, solid_annulus
from fecontact.results.geometry import BodyGeometry
from fecontact.results.hdf5.file import Header
from fecontact.results.hdf5.writer import Writer
from fecontact.results.result import Result

RECORDS, POINTS = 24, 16
ENERGIES = ("kinetic", "strain", "potential", "contact", "slip", "damping", "supplied",
            "numerical", "residual")  # fmt: skip
TILT = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [0.0, 0.8, 0.6]])


def turn(angle: float) -> np.ndarray:
    """Rotation about a tilted axis."""
    c, s = np.cos(angle), np.sin(angle)
    return TILT @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ TILT.T


def plate_geometry() -> BodyGeometry:
    """Ring with one elastic coordinate, which stretches it along its radius."""
    ring = BodyGeometry.fixed(solid_annulus(0.08, 0.12, -0.002, 0.002, 2, 12))
    shape = ring.points * np.array([1.0, 1.0, 0.0])
    return BodyGeometry("plate", ring.points, ring.cells, shape[:, :, None])


def record(number: int, geometry: tuple[BodyGeometry, ...]) -> dict[str, np.ndarray]:
    """Record at t = number ms; fields are random, so that no two are alike."""
    rng = np.random.default_rng(number)
    angle, stretch = 0.5 * number, 0.01 * np.sin(0.3 * number)
    still = np.concatenate([np.zeros(3), np.eye(3).ravel()])
    frame = np.concatenate([[0.1 * number, 0.0, 0.0], turn(angle).ravel()])
    status = rng.integers(0, 4, POINTS)
    pressure = np.where(status > 0, rng.random(POINTS) * 1e6, 0.0)
    normal = rng.standard_normal((POINTS, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    vectors = {name: rng.standard_normal((POINTS, 3)) for name in ("traction", "slip", "position")}
    levels = np.abs(np.sin(0.1 * number + np.arange(len(ENERGIES))))
    fields = {"gap": rng.standard_normal(POINTS), "pressure": pressure, "normal": normal, **vectors}
    fields["point_slip_power"] = np.where(status > 1, rng.random(POINTS), 0.0)
    scalars = dict.fromkeys(("energy", "damping_power", "slip_power", "supplied_power"), 0.0)
    return {
        "t": 1e-3 * number,
        "q": np.array([0.1 * number, np.cos(angle), stretch]),
        "v": np.array([100.0, -500.0 * np.sin(angle), 3.0 * np.cos(0.3 * number)]),
        "a": np.zeros(3),
        "lam": np.zeros(0),
        "z": np.zeros(3 * POINTS),
        "status": status,
        "slip_totals": rng.random(2 * POINTS),
        "resume": np.zeros(0),
        "frames": np.array([frame, still]),
        "statistics/steps": np.int64(number),
        **{f"energies/{name}": level for name, level in zip(ENERGIES, levels, strict=True)},
        **{f"contacts/0/{name}": field for name, field in {**fields, **scalars}.items()},
    }


@pytest.fixture
def result(tmp_path) -> Result:
    geometry = (plate_geometry(), BodyGeometry.fixed(block(0.3, 0.3, 0.01, cells=(2, 2, 1))))
    about = {
        "coordinates": ["plate.x", "plate.c", "plate.e1"],
        "places": [0, 1, 2],
        "rows": [],
        "bodies": {"plate": [0, 3]},
        "contacts": [{"name": "facing", "points": POINTS}],
        "energies": list(ENERGIES),
        "statistics": ["steps"],
        "geometry": [{"body": g.body, "cells": list(g.cells)} for g in geometry],
        "method": "made up",
    }
    fixed = {"contacts/0/weights": np.linspace(1e-6, 2e-6, POINTS)}
    for number, part in enumerate(geometry):
        fixed[f"geometry/{number}/points"] = part.points
        fixed[f"geometry/{number}/shapes"] = part.shapes
        for kind, cells in part.cells.items():
            fixed[f"geometry/{number}/cells/{kind}"] = cells
    first = record(0, geometry)
    writer = Writer(tmp_path / "run.h5", Header(about, fixed), first)
    for number in range(RECORDS):
        writer.append(record(number, geometry))
    writer.close("finished")
    return Result.load(tmp_path / "run.h5")
