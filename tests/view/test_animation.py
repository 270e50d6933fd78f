"""Animations: geometry of what is drawn, files that are made, words if there is no graphics."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageColor

from fecontact.errors import InputError
from fecontact.view.pictures import offscreen
from fecontact.view.pictures.animation import VIEW, animate, exaggerated, round_factor
from fecontact.view.pictures.compose import ColourScale, Titled, common_crop, compose
from fecontact.view.pictures.film import write_gif
from fecontact.view.style import STATUS_LOOKS


def test_a_gif_plays_all_frames(result, tmp_path):
    target = tmp_path / "a.gif"
    reason = animate(result, target, frames=2, rate=10.0)
    if reason is not None:
        pytest.skip(f"no off-screen graphics on this machine: {reason}")
    with Pillow.open(target) as film:
        assert film.n_frames == 2
        assert film.info["duration"] == 100
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(1)
        last = np.asarray(film.convert("RGB")).astype(int)
    assert (np.abs(first - last).max(axis=2) > 40).mean() > 1e-3
    assert [path.name for path in tmp_path.glob("*.gif")] == ["a.gif"]
    assert not list(tmp_path.glob(".*"))


def test_without_graphics_the_reason_is_said_and_nothing_left(result, tmp_path, monkeypatch):
    monkeypatch.setattr(offscreen.sys, "executable", "/bin/false")
    assert animate(result, tmp_path / "a.gif", frames=2) == "exit code 1"
    assert not list(tmp_path.glob("*.gif"))
    assert not list(tmp_path.glob(".*.gif"))


def test_mp4_without_its_package_names_the_cure(result, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install imageio-ffmpeg, or choose gif"):
        animate(result, tmp_path / "a.mp4")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("a.avi", {}, "one of gif, mp4"),
        ("a.gif", {"frames": 0}, "frames = 0"),
        ("a.gif", {"rate": 0.0}, "rate = 0.0"),
        ("a.gif", {"exaggeration": -1.0}, "exaggeration = -1.0"),
        ("missing/a.gif", {}, "does not exist"),
    ],
)
def test_bad_input_is_refused(result, tmp_path, name, options, words):
    with pytest.raises(InputError, match=words):
        animate(result, tmp_path / name, **options)


def test_contact_points_follow_the_exaggerated_body():
    """Points on a bending body move with it; the rigid body beside it is passed over."""
    rng = np.random.default_rng(3)
    points = rng.random((40, 3))
    elastic = np.where(np.arange(40)[:, None] < 20, rng.standard_normal((40, 3)), 0.0)
    dots = points[5:10].copy()
    np.testing.assert_allclose(exaggerated(points, elastic, 50.0, dots), dots + 49 * elastic[5:10])
    np.testing.assert_array_equal(exaggerated(points, elastic, 1.0, dots), dots)
    np.testing.assert_array_equal(exaggerated(points, 0.0 * elastic, 50.0, dots), dots)


@pytest.mark.parametrize("largest", [1e-9, 3.3e-6, 4.9e-4, 1e-3])
def test_chosen_factor_is_round_and_draws_two_to_five_percent(largest):
    factor = round_factor(1.0, largest)
    assert 0.02 < factor * largest <= 0.05
    assert f"{factor:e}"[0] in "125"


def test_axes_of_the_view_are_a_rotation():
    np.testing.assert_allclose(VIEW @ VIEW.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(VIEW) == pytest.approx(1.0)
    assert VIEW[1, 2] > 0.8  # z points upwards


def test_frames_show_view_time_and_legend():
    view = np.zeros((56, 80, 3), dtype=np.uint8)
    titled = Titled((80, 56), modes=True)
    image = titled.image(view, "")
    assert image.shape == (56 + 2 * 40, 80, 3)
    assert (image[40:96] == 0).all()
    assert (titled.image(view, "t = 1 s")[:40] < 128).any()


def test_gif_keeps_the_colours_of_the_modes(tmp_path):
    """Also those that are not in its first frame."""
    rng = np.random.default_rng(4)
    noise = rng.integers(0, 255, (40, 60, 3), dtype=np.uint8)
    colours = [look.colour for look in STATUS_LOOKS]
    flat = [np.full_like(noise, ImageColor.getrgb(colour)) for colour in colours]
    write_gif(tmp_path / "a.gif", [noise, *flat], 10.0, colours)
    with Pillow.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 5
        for number, frame in enumerate(flat, start=1):
            film.seek(number)
            shown = np.asarray(film.convert("RGB")).astype(int)
            assert np.abs(shown - frame).max() <= 24


def test_composed_views_have_one_colour_bar_below_all():
    images = [np.full((50, 80, 3), 200, dtype=np.uint8)] * 5
    scale = ColourScale("displacement / largest", 0.0, 1.0, "viridis")
    figure = compose(images, [f"mode {k}" for k in range(5)], "modes", scale)
    figure.draw_without_rendering()
    *panels, bar = figure.axes
    shown = [axes for axes in panels if axes.images]
    assert [axes.get_title() for axes in shown] == [f"mode {k}" for k in range(5)]
    top = bar.get_tightbbox().y1
    assert all(axes.get_tightbbox().y0 > top for axes in shown)


def test_crop_is_common_to_all_images():
    images = [np.full((60, 60, 3), 255, dtype=np.uint8) for _ in range(2)]
    images[0][20, 30] = 0
    images[1][40, 35] = 0
    cropped = common_crop(images)
    assert {image.shape for image in cropped} == {(21 + 24, 6 + 24, 3)}
    blank = [np.full((6, 6, 3), 255, dtype=np.uint8)]
    assert common_crop(blank)[0].shape == (6, 6, 3)
