"""Series for ParaView: round trip, rigid rotations without stretching, forces from the file."""

from __future__ import annotations

from dataclasses import replace

import meshio
import numpy as np
import pytest
import pyvista as pv

from fecontact.errors import InputError
from fecontact.view import series
from fecontact.view.series import ELASTIC, bodies_shape, body_frames, thinned, write_series
from fecontact.view.vtk import read_times


def edges(cells):
    """Pairs of neighbouring corners."""
    return np.concatenate([np.stack([c, np.roll(c, 1, axis=1)], axis=-1) for c in cells]).reshape(
        -1, 2
    )


def lengths(points, pairs):
    return np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)


def test_files_play_and_are_listed(result, tmp_path):
    files = write_series(result, tmp_path / "vtk")
    assert files[0] == "bodies.pvd"
    assert len(files) == 2 * (1 + len(result))
    for name in files:
        assert (tmp_path / "vtk" / name).is_file()
    for name in ("bodies.pvd", "contacts.pvd"):
        assert [t for t, _ in read_times(tmp_path / "vtk" / name)] == result.t.tolist()


def test_bodies_come_back_to_the_last_bit(result, tmp_path):
    write_series(result, tmp_path / "vtk")
    shape = bodies_shape(result)
    for frame, (_, file) in zip(
        body_frames(result), read_times(tmp_path / "vtk/bodies.pvd"), strict=True
    ):
        back = meshio.read(file)
        np.testing.assert_array_equal(back.points, frame.points)
        np.testing.assert_array_equal(back.point_data[ELASTIC], frame.fields[ELASTIC])
        for kind, cells in back.cells_dict.items():
            written = np.concatenate([nodes for name, nodes in shape.cells if name == kind])
            np.testing.assert_array_equal(cells, written)


def test_a_turning_plate_is_not_stretched(result):
    """Without its deformation each edge keeps its length at angles up to 11.5 rad."""
    shape = bodies_shape(result)
    pairs = edges([cells for _, cells in shape.cells])
    expected = lengths(shape.points, pairs)
    largest = 0.0
    for frame in body_frames(result):
        rigid = frame.points - frame.fields[ELASTIC]
        largest = max(largest, float(np.abs(lengths(rigid, pairs) / expected - 1.0).max()))
    assert largest < 1e-13


def test_deformation_has_the_size_of_the_coordinate(result):
    """The plate stretches by e along its radius: so does each of its points, at any angle."""
    plate = result.geometry[0]
    radius = np.linalg.norm(plate.points[:, :2], axis=1)
    for frame, stretch in zip(body_frames(result), result["plate.e1"], strict=True):
        size = np.linalg.norm(frame.fields[ELASTIC], axis=1)
        np.testing.assert_allclose(size[: len(radius)], abs(stretch) * radius, atol=1e-15)
        np.testing.assert_array_equal(size[len(radius) :], 0.0)


def test_contact_fields_and_total_force_come_back(result, tmp_path):
    write_series(result, tmp_path / "vtk")
    contact = result.contacts["facing"]
    total = contact.force
    for row, (_, file) in enumerate(read_times(tmp_path / "vtk/contacts.pvd")):
        back = meshio.read(file)
        np.testing.assert_array_equal(back.points, contact.field("position")[row])
        for name in series.FIELDS:
            np.testing.assert_array_equal(back.point_data[name], contact.field(name)[row])
        pressed = back.point_data["pressure"][:, None] * back.point_data["normal"]
        by_hand = contact.weights @ (pressed + back.point_data["traction"])
        np.testing.assert_allclose(back.point_data["force"].sum(axis=0), total[row], rtol=1e-13)
        np.testing.assert_allclose(by_hand, total[row], rtol=1e-12)


def test_pyvista_plays_it(result, tmp_path):
    write_series(result, tmp_path / "vtk", frames=5)
    reader = pv.get_reader(tmp_path / "vtk/bodies.pvd")
    expected = list(body_frames(thinned(result, 5)))
    np.testing.assert_array_equal(reader.time_values, [frame.time for frame in expected])
    for number, frame in enumerate(expected):
        reader.set_active_time_point(number)
        (mesh,) = reader.read()
        np.testing.assert_array_equal(mesh.points, frame.points)
        np.testing.assert_array_equal(mesh[ELASTIC], frame.fields[ELASTIC])
        assert set(mesh["body"]) == {0, 1}


def test_small_parts_give_the_same_frames(result, monkeypatch):
    whole = list(body_frames(result))
    monkeypatch.setattr(series, "CHUNK_BYTES", 20_000)
    parts = list(body_frames(result))
    assert [frame.time for frame in parts] == [frame.time for frame in whole]
    for a, b in zip(parts, whole, strict=True):
        np.testing.assert_array_equal(a.points, b.points)


@pytest.mark.parametrize("frames", [1, 5, 23, 24, 100])
def test_thinning_keeps_the_first_and_at_most_so_many(result, frames):
    shown = thinned(result, frames)
    assert len(shown) <= frames
    assert len(shown) >= min(frames, 24) / 2
    assert shown.t[0] == result.t[0]


def test_a_second_series_leaves_no_frames_of_the_first(result, tmp_path):
    write_series(result, tmp_path / "vtk")
    write_series(result, tmp_path / "vtk", frames=3)
    assert len(list((tmp_path / "vtk/bodies").iterdir())) == 3


def test_nothing_to_draw_is_said(result, tmp_path):
    about = {**result.about, "geometry": [], "contacts": []}
    bare = replace(result, run=replace(result.run, about=about))
    with pytest.raises(InputError, match="nothing to draw"):
        write_series(bare, tmp_path)
    with pytest.raises(InputError, match="frames = 0"):
        write_series(result, tmp_path, frames=0)
    with pytest.raises(InputError, match="no records"):
        write_series(replace(result, run=replace(result.run, complete=0)), tmp_path)
