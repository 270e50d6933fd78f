"""Stability maps: the refined boundary against the whole grid, store, failures, regions."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis.stability import map_points, maps
from fecontact.analysis.stability.critical import critical_value
from fecontact.analysis.stability.map_points import MapPoint, evaluate_points
from fecontact.analysis.stability.maps import MapAxis, stability_map
from fecontact.analysis.stability.operating_point import Branch, operating_point
from fecontact.analysis.stability.regions import regions
from fecontact.body import RigidBody
from fecontact.case.build import CaseBuild
from fecontact.case.registry import load_module
from fecontact.errors import InputError, SolverError
from fecontact.joint import Gravity
from fecontact.system import System

J1, TAN = MapAxis("j1", 0.005, 0.2), MapAxis("tan beta", 0.0, 1.6)


def matrices(j1, tan):
    """Jehle's torsional-axial model (source notes 8.1), batched."""
    x, one = 0.3 * 5.0 * tan, np.ones_like(j1)
    M = np.stack([1.0 + j1 * (5.0 * tan) ** 2, 10.0 * one], axis=-1)

    def parts(a, b):
        rows = [[1 + a - x, -1 + x], [-one, (1 + b) * one]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    K = parts(3 / 7, 12 / 7)
    return M, 13 / 7e6**0.5 * K, K


def leading(j1, tan):
    M, D, K = matrices(np.asarray(j1, float), np.asarray(tan, float))
    A = np.zeros((*M.shape[:-1], 4, 4))
    A[..., :2, 2:] = np.eye(2)
    A[..., 2:, :2], A[..., 2:, 2:] = -K / M[..., :, None], -D / M[..., :, None]
    z = np.linalg.eigvals(A)
    return np.take_along_axis(z, np.argmax(z.real, axis=-1)[..., None], axis=-1)[..., 0]


def plain(j1, tan, gravity=9.81):
    """Any system: its numbers tell one store from another."""
    return System(
        [body := RigidBody("body", 1.0 + j1, ("uz",))], [Gravity([body], (0, 0, -gravity))]
    )


def closed_form(build, places, guesses, band=None, unloaded=False):
    z = leading(*np.array(places).T)
    return [MapPoint(float(g.real), float(abs(g.imag)), np.zeros(1)) for g in z]


@pytest.fixture
def counted(monkeypatch):
    calls = []

    def spy(build, places, guesses, band=None, unloaded=False):
        calls.append(len(places))
        return closed_form(build, places, guesses)

    monkeypatch.setattr(maps, "evaluate_points", spy)
    return calls


def test_boundary_of_the_whole_grid_with_few_points(counted):
    """257 x 257 points by brute force: the same labels everywhere, 20 times fewer evaluations."""
    result = stability_map(None, J1, TAN, seed=(16, 16), levels=4)
    assert result.shape == (256, 256)
    i, j = np.meshgrid(np.arange(257), np.arange(257), indexing="ij")
    x, y = (a.low + (a.high - a.low) * k / 256 for a, k in ((J1, i), (TAN, j)))
    z = leading(x, y)
    expected = np.where(
        z.real > 0.0, np.where(np.abs(z.imag) > 0.0, "flutter", "divergence"), "stable"
    )
    assert np.array_equal(result.labels(), expected)
    assert set(np.unique(expected)) == {"stable", "flutter", "divergence"}
    assert sum(counted) == result.evaluations
    assert 20 * result.evaluations <= 257**2


def test_boundary_points_lie_on_the_boundary(counted):
    """Digest T7: divergence from 1.11905 at any j1, flutter from 0.6668 at j1 = 0.05."""
    boundary = stability_map(None, J1, TAN).boundary()
    assert len(boundary) > 100
    growth = leading(boundary[:, 0, 0], boundary[:, 0, 1]).real
    assert np.abs(growth).max() < 0.02
    divergence = boundary[(boundary[:, 0, 1] > 1.08) & (boundary[:, 0, 0] > 0.11)]
    np.testing.assert_allclose(divergence[:, :, 1], 1.11905, atol=2 * 1.6 / 256)
    near = boundary[np.abs(boundary[:, 0, 0] - 0.05).argsort()[:6]]
    assert np.abs(near[:, 0, 1] - 0.6668).min() < 1.6 / 256


def test_regions_are_found(counted):
    found = regions(stability_map(None, J1, TAN))
    assert [region.kind for region in found] == ["divergence", "flutter"]
    flutter = found[1]
    assert flutter.growth * np.sqrt(7e6) > 226.0
    assert flutter.grid_points
    assert sum(region.area for region in found) < 1.0
    # divergence fills what lies above 1.11905, less a strip of half a cell
    assert found[0].area == pytest.approx(1.0 - 1.11905 / 1.6, abs=0.01)


def test_an_interrupted_map_goes_on(counted, monkeypatch, tmp_path):
    whole = stability_map(plain, J1, TAN, levels=2, store=tmp_path / "whole")
    complete = len(counted)

    class StopError(Exception):
        pass

    working = maps.evaluate_points

    def stopping(*arguments):
        if len(counted) == complete + 8:
            raise StopError
        return working(*arguments)

    monkeypatch.setattr(maps, "evaluate_points", stopping)
    with pytest.raises(StopError):
        stability_map(plain, J1, TAN, levels=2, store=tmp_path / "map")
    monkeypatch.setattr(maps, "evaluate_points", working)
    again = stability_map(plain, J1, TAN, levels=2, store=str(tmp_path / "map"))
    assert len(counted) == 2 * complete
    assert again.points.keys() == whole.points.keys()
    assert all(again.points[p].growth == whole.points[p].growth for p in whole.points)
    stability_map(plain, J1, TAN, levels=2, store=tmp_path / "map")
    assert len(counted) == 2 * complete
    assert not list((tmp_path / "map").glob("*.draft"))


def test_a_torn_tile_is_computed_again(counted, tmp_path):
    stability_map(plain, J1, TAN, levels=1, store=tmp_path)
    before = len(counted)
    tile = sorted(tmp_path.glob("*.npz"))[0]
    tile.write_bytes(tile.read_bytes()[:100])
    stability_map(plain, J1, TAN, levels=1, store=tmp_path)
    assert len(counted) == before + 1


def test_another_map_in_the_folder_is_refused(counted, tmp_path):
    stability_map(plain, J1, TAN, levels=0, store=tmp_path)
    with pytest.raises(InputError, match=r"another map: levels = 0\.0 in the file, 1\.0 now"):
        stability_map(plain, J1, TAN, levels=1, store=tmp_path)


def test_points_of_other_systems_are_refused(counted, tmp_path):
    """A constant that is no axis changes: the points belong to a machine that is no more."""
    stability_map(plain, J1, TAN, levels=0, store=tmp_path)

    def other(j1, tan):
        return plain(j1, tan, gravity=9.80)

    with pytest.raises(InputError, match=r"map: gravity\.acceleration.*9\.81.*9\.8 now.*fresh"):
        stability_map(other, J1, TAN, levels=0, store=tmp_path)
    before = len(counted)
    stability_map(other, J1, TAN, levels=0, store=tmp_path, fresh=True)
    assert len(counted) > before
    stability_map(other, J1, TAN, levels=0, store=tmp_path)


def test_a_corner_without_a_system_is_part_of_the_description(counted, tmp_path):
    def failing(j1, tan, reason="no slip"):
        if tan == TAN.high:
            raise InputError(reason)
        return plain(j1, tan)

    stability_map(failing, J1, TAN, levels=0, store=tmp_path)
    stability_map(failing, J1, TAN, levels=0, store=tmp_path)
    with pytest.raises(InputError, match="another map: no system is in the file only"):
        stability_map(plain, J1, TAN, levels=0, store=tmp_path)


def test_points_without_their_description_are_refused(counted, tmp_path):
    stability_map(plain, J1, TAN, levels=0, store=tmp_path)
    (tmp_path / "keep.txt").write_text("mine")
    header = tmp_path / "map.json"
    whole = json.loads(header.read_text())
    place = next(iter(whole["systems"]))
    whole["systems"][place]["gravity.acceleration"] = {"shape": [3]}
    for broken in (None, "{", '{"x": 1}', "[]", json.dumps(whole)):
        header.unlink() if broken is None else header.write_text(broken)
        with pytest.raises(InputError, match=r"map\.json"):
            stability_map(plain, J1, TAN, levels=0, store=tmp_path)
    stability_map(plain, J1, TAN, levels=0, store=tmp_path, fresh=True)
    assert (tmp_path / "keep.txt").read_text() == "mine"


def test_another_band_is_another_map(counted, tmp_path):
    stability_map(plain, J1, TAN, levels=0, store=tmp_path)
    with pytest.raises(InputError, match="band = validity in the file"):
        stability_map(plain, J1, TAN, levels=0, store=tmp_path, band=(0.0, 1e3))


def test_failing_points_are_reported(monkeypatch):
    """A failed region has its boundary refined, and its reason is kept."""

    def failing(build, places, guesses, band=None, unloaded=False):
        points = closed_form(build, places, guesses)
        return [
            MapPoint(np.nan, np.nan, np.zeros(0), "self-locking") if y > 1.2 else point
            for point, (_, y) in zip(points, places, strict=True)
        ]

    monkeypatch.setattr(maps, "evaluate_points", failing)
    result = stability_map(None, J1, TAN, seed=(8, 8), levels=3)
    assert set(result.failures.values()) == {"self-locking"}
    assert min(y for _, y in result.failures) - 1.2 <= 1.6 / 64
    failed = next(region for region in regions(result) if region.kind == "failed")
    assert failed.mechanism == "self-locking"
    assert np.isfinite(result.boundary()).all()


def build_disc(elastic_disc, ritz):
    from dataclasses import replace

    p = elastic_disc.ElasticDisc()
    return lambda stiffness, speed: elastic_disc.build(
        replace(p, radial_stiffness=stiffness, plate_speed=speed), ritz
    )


def test_map_of_the_disc(elastic_disc, ritz):
    """A small map over bearing stiffness and speed: the strip of type II squeal (notes T21)."""
    build = build_disc(elastic_disc, ritz)
    x, y = MapAxis("radial_stiffness", 28e6, 36e6), MapAxis("plate_speed", 300.0, 420.0)
    result = stability_map(build, x, y, seed=(4, 3), levels=1)
    assert any("slip" in reason for reason in result.failures.values())  # 300 rad/s: no slip
    found = next(r for r in regions(result, build) if r.kind == "flutter")
    assert found.mechanism == "mode coupling (contact)"
    assert 1250.0 < found.frequency[0] <= found.frequency[1] < 1300.0
    boundary = result.boundary()
    at_390 = boundary[np.abs(boundary[:, :, 1].mean(axis=1) - 390.0) < 20.0][:, :, 0]
    assert np.abs(at_390 - 31.2e6).min() < 1e6
    assert np.abs(at_390 - 33.4e6).min() < 1e6


@pytest.mark.slow
def test_processes_give_the_same():
    build = CaseBuild("classic/mode_coupling", ("damping=20",), ("friction", "angle_1"))
    x, y = MapAxis("friction", 0.2, 1.5), MapAxis("angle_1", 2.3, 2.8)
    one, two = (stability_map(build, x, y, seed=(10, 6), levels=1, jobs=jobs) for jobs in (1, 2))
    assert one.evaluations > 77
    assert one.points.keys() == two.points.keys()
    assert all(one.points[p].growth == two.points[p].growth for p in one.points)


def test_points_start_from_their_neighbour_and_try_again_without(monkeypatch):
    coupling = load_module("classic/mode_coupling")
    build = lambda mu, load: coupling.build(coupling.ModeCoupling(friction=mu, load=load))  # noqa: E731
    guesses, found = [], map_points.steady_near

    def astray(system, guess, check_time):
        guesses.append(guess)
        if guess is not None and guess[0] == 7.0:
            raise SolverError("another branch")
        return found(system, guess, check_time)

    monkeypatch.setattr(map_points, "steady_near", astray)
    far = np.full(3, 7.0)
    first, second = evaluate_points(build, [(0.8, 10.0), (0.9, 10.0)], [far, None])
    assert guesses[0] is far
    assert guesses[1] is None
    assert first.label == second.label == "flutter"
    assert first.growth == pytest.approx(91.0968, abs=1e-3)
    (below,) = evaluate_points(build, [(0.7, 10.0)], [None])
    assert (below.growth, below.label) == (0.0, "stable")  # no damping: round-off is not growth


def test_ranges_are_checked():
    with pytest.raises(InputError, match=re.escape("mu = 1.0:0.5")):
        MapAxis("mu", 1.0, 0.5)
    with pytest.raises(InputError, match="levels"):
        stability_map(None, J1, TAN, levels=-1)


def test_other_errors_are_not_swallowed():
    def broken(x, y):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        evaluate_points(broken, [(0.0, 0.0)], [None])

    def impossible(x, y):
        raise SolverError("no way")

    assert evaluate_points(impossible, [(0.0, 0.0)], [None])[0].failure == "no way"


def test_a_map_of_operating_points(tmp_path) -> None:
    """Operating points found by their builder give the map, boundary and mechanisms of systems."""
    axial = load_module("jehle/gearbox_axial")

    def build(j1, slope):
        return axial.build(replace(axial.Gearbox(), inertia_ratio=j1, slope=slope))

    def point(j1, slope):
        return operating_point(build(j1, slope))

    axes = MapAxis("j_1", 0.02, 0.2), MapAxis("tan beta", 0.3, 1.0)
    one, two = (
        stability_map(make, *axes, seed=(2, 2), levels=1, store=tmp_path / name)
        for name, make in (("systems", build), ("points", point))
    )
    assert one.points.keys() == two.points.keys()
    growth = [[m.points[k].growth for k in one.points] for m in (one, two)]
    np.testing.assert_allclose(growth[0], growth[1], rtol=1e-7, atol=1e-9)
    found = [[r.mechanism for r in regions(one, build)], [r.mechanism for r in regions(two, point)]]
    assert found[0] == found[1]
    assert set(found[0]) == {"mode coupling (clutch)"}
    again = stability_map(build, *axes, seed=(2, 2), levels=1, store=tmp_path / "points")
    assert [again.points[k].growth for k in one.points] == growth[1]  # kept for their systems
    edge = [critical_value(Branch(lambda s, f=f: f(0.05, s)), 0.4, 0.83).value
            for f in (build, point)]  # fmt: skip
    assert edge[0] == pytest.approx(edge[1], rel=1e-9)
    assert edge[0] == pytest.approx(0.6668, abs=1e-4)
