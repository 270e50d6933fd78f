"""Plots as methods: the same figures as those of the view functions, drawn or written."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from fecontact.analysis import continuation
from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.power import PowerBalance, PowerTerm
from fecontact.analysis.stability.tracking import Tracks
from fecontact.body import RigidBody
from fecontact.fem import STEEL, ElasticSolid
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System
from fecontact.view import branches, plots, stability
from fecontact.view.gallery import Request, plot_result

PNG = b"\x89PNG"
SIGNALS = {
    "history": ("plate.x", "plate.x'"),
    "phase": ("plate.x",),
    "spectrum": ("plate.c",),
    "spectrogram": ("plate.c",),
    "waterfall": ("plate.c",),
    "hysteresis": ("plate.x", "facing.force.x"),
    "energy": (),
    "states": ("facing",),
    "map": ("facing",),
}
METHODS = {"states": "plot_contact_states", "map": "plot_contact_map"}


def drawn(figure: Figure) -> list[np.ndarray]:
    """Data of all lines and points of a figure, and the labels of its axes."""
    found: list[np.ndarray] = []
    for axes in figure.axes:
        found += [np.asarray(line.get_xydata()) for line in axes.lines]
        found += [np.asarray(each.get_offsets()) for each in axes.collections]
        found.append(np.array([axes.get_xlabel(), axes.get_ylabel(), axes.get_title()]))
    return found


def assert_same(one: Figure, other: Figure):
    assert isinstance(one, Figure)
    a, b = drawn(one), drawn(other)
    assert len(a) == len(b) > 0
    for x, y in zip(a, b, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("plot", SIGNALS)
def test_of_a_result(result, tmp_path, plot):
    method = getattr(result, METHODS.get(plot, f"plot_{plot}"))
    figure = method(*SIGNALS[plot], path=tmp_path / "plot.png")
    assert_same(figure, plot_result(result, Request(plot, SIGNALS[plot])))
    assert (tmp_path / "plot.png").read_bytes().startswith(PNG)


def test_of_a_result_in_memory():
    """A run in memory is drawn as its file is."""
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    motion = simulate(system, 0.1, system.state(q={"mass.ux": 1e-3}), step=1e-3)
    figure = motion.plot_history("mass.ux")
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), motion.history("mass.ux"))
    assert motion.plot_energy().axes


def complex_modes() -> ComplexModes:
    z = np.array([-3.0 + 600.0j, 5.0 + 1200.0j])
    return ComplexModes(z, np.eye(2) + 0j, {"a": np.ones(2)}, np.eye(2) + 0j, np.eye(2) + 0j)


def test_of_modes(tmp_path):
    modes = complex_modes()
    figure = modes.plot(path=tmp_path / "modes.png")
    assert_same(figure, plots.growth_over_frequency({"modes": modes}, 1200.0 / (2.0 * np.pi)))
    assert (tmp_path / "modes.png").read_bytes().startswith(PNG)


def test_of_tracks():
    values = np.linspace(0.0, 100.0, 5)
    z = np.column_stack([1.0j * (600.0 + values), 0.1 + 1.0j * (900.0 - values)])
    tracks = Tracks(values, z, np.zeros((5, 2), dtype=int), np.full(5, 150.0))
    assert_same(tracks.plot("speed"), stability.tracks_plot(tracks, "speed"))
    assert_same(tracks.plot_campbell((1, 2), 200.0), stability.campbell_plot(tracks, (1, 2), 200.0))


def test_of_a_power_balance():
    terms = (PowerTerm("contact", "friction", 1.0, 3.0), PowerTerm("bearing", "", -1.0, 0.0))
    balance = PowerBalance(3.0 + 100.0j, terms, 1.0, 1.0)
    figure = balance.plot()
    expected = stability.power_plot(balance)
    widths = [[bar.get_width() for bar in each.axes[0].patches] for each in (figure, expected)]
    assert widths[0] == widths[1] == [-1.0, 4.0]


def test_of_a_branch():
    """By default the norm of the unknowns; folds are marked."""
    points = tuple(
        continuation.BranchPoint(np.array([3.0 * p, 4.0 * p]), p, np.zeros(2), 1.0, p, 1)
        for p in (1.0, 2.0, 3.0)
    )
    path = continuation.Path(points, (continuation.Special("fold", points[1]),), "end")
    figure, sound = path.plot("friction"), np.ones(3, dtype=bool)
    expected = branches.branch_panels(
        path.parameter, {"|u|": 5.0 * path.parameter}, sound, "friction", marks={"fold at 2": 2.0}
    )
    assert_same(figure, expected)
    names = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert "fold at 2" in names


def test_of_a_reduced_model(tmp_path):
    model = reduce_model(ElasticSolid(block(0.1, 0.02, 0.01, cells=(6, 2, 1)), STEEL), modes=4)
    saved = model.plot_modes(tmp_path / "bar_modes", count=2)
    assert "bar_modes.vtu" in saved.files
    text = (tmp_path / "bar_modes.vtu").read_bytes()
    hertz = model.frequencies[model.rigid : model.rigid + 3] / (2 * np.pi)
    assert [f"{f:.1f} Hz".encode() in text for f in hertz] == [True, True, False]
