"""The benchmarks run, on few points; nothing here depends on time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from fecontact.case.registry import load_module

FOLDER = Path(__file__).parents[1] / "benchmarks"
run = load_module(str(FOLDER / "run.py"))  # its folder is now where Python looks for modules
import goals  # noqa: E402
import harness  # noqa: E402

ERRORS = {
    "oscillators": 5e-3, "rotor": 3e-2, "bouncing_ball": 3e-2, "block_on_feet": 1e-3,
    "disc_map": 1e-9, "harmonic_balance": 0.2, "hertz": 0.6, "continuous_time": 1e-7,
}  # fmt: skip
"""Errors of the coarse runs, against the reference of each question."""
SMOKE = [(name, case) for name in run.QUESTIONS for case in run.question(name).smoke]


def test_step_of_the_clutch(monkeypatch):
    module = load_module(str(FOLDER / "clutch_transient.py"))
    monkeypatch.setattr(module, "repeated", module.repeated.py_func)  # its loop needs no compiling
    (step, bare), _ = module.step_cost(20, 4, steps=2, repeats=1)
    assert step > 0.0
    assert bare > 0.0


def test_evaluation_of_contacts(capsys, monkeypatch):
    module = load_module(str(FOLDER / "contact_evaluation.py"))
    in_turn = module.in_turn
    monkeypatch.setattr(module, "triad", lambda: 1e10)
    monkeypatch.setattr(module, "in_turn", lambda functions, repeats: in_turn(functions, 2))
    module.main(225)
    printed = capsys.readouterr().out
    for count in ("200", "225"):
        assert any(line.split()[:1] == [count] for line in printed.splitlines()), printed


def test_backends_agree(capsys, monkeypatch):
    """The benchmark compares the forces and the motions of both backends."""
    module = load_module(str(FOLDER / "contact_backends.py"))
    monkeypatch.setattr(module, "REPEATS", 1)
    module.main(around=8, shapes=6, harmonics=1, steps=(4, 4))
    printed = capsys.readouterr().out
    for word in ("compiled", "reference", "general"):
        assert word in printed


LOADED = sorted(set(FOLDER.glob("*.py")) - {FOLDER / "siconos_models.py"})


@pytest.mark.parametrize("path", LOADED, ids=lambda path: path.stem)
def test_every_benchmark_can_be_loaded(path):
    assert load_module(str(path)).__doc__


def once(function, warm_up=None, *rest, **options):
    """In place of `harness.cpu`: one call, and a time that is no time."""
    function()
    return 1.0


def label(value):
    return value if isinstance(value, str) else "-".join(str(each) for each in value.values())


@pytest.mark.parametrize(("name", "case"), SMOKE, ids=label)
@pytest.mark.filterwarnings("ignore")
def test_questions(name, case, monkeypatch, tmp_path):
    """A tiny case of each kind gives what the table shows, with the error of its coarse mesh."""
    version = harness.peer_version(case["program"])
    if version is None:
        peer = case["program"].split()[0]
        pytest.skip(f"{peer} is not installed: {harness.PEERS[peer].install}")
    asked = run.question(name)
    monkeypatch.setattr(sys.modules[asked.measure.__module__], "cpu", once, raising=False)
    monkeypatch.setattr(harness, "ROOT", tmp_path)
    row = json.loads(json.dumps(case | asked.measure(**case)))
    assert row.get("error", 0.0) < ERRORS.get(name, 0.0) + 1e-30
    assert ("error" in row) == (name in ERRORS) or name in ("disc_map",)
    assert asked.markdown([row]).count("\n") >= 2


def test_the_script_of_harmonic_balance_solves_the_same_equations():
    module = run.importlib.import_module("harmonic_balance")
    np.testing.assert_allclose(module.ours(1)(16), module.script(1, 16), rtol=1e-6, atol=1e-9)


def rows(power, error=2.0):
    points = [{"program": "fecontact", "n": n, "s": 3.0 * n**power} for n in (1, 2, 4)]
    return [row | {"error": row["s"] ** -error, "cpu": row["s"]} for row in points]


def test_exponents_and_ratios_of_power_laws(tmp_path):
    growth = harness.Growth("n", "s", labels=("n", "time / s"))
    assert growth.exponents(rows(1.5)) == "time over n: fecontact 1.50"
    fast, slow = rows(1.0), [row | {"cpu": 5.0 * row["cpu"]} for row in rows(1.0)]
    ratio, error = harness.ratio_at_equal_error(slow, fast)
    assert ratio == pytest.approx(5.0)
    assert error == pytest.approx(12.0**-2)
    columns = (harness.Column("n", "size"), harness.Column("s", "s", ".1f"))
    asked = harness.Question("law", dict, (), (), columns, (growth,))
    asked.plot(rows(1.5), tmp_path / "law.png")
    assert (tmp_path / "law.png").stat().st_size > 1000
    assert "| 4 | 24.0 |" in asked.markdown(rows(1.5))


def test_costs_at_equal_error_are_not_extrapolated():
    far = [row | {"error": 1e-9 * row["error"]} for row in rows(1.0)]
    assert harness.ratio_at_equal_error(rows(1.0), far) is None


def test_a_table_is_replaced_between_its_comments(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- law: begin -->\nold\n<!-- law: end -->\nb\n")
    assert run.renew(page, "law", "| new |")
    assert page.read_text() == "a\n<!-- law: begin -->\n| new |\n<!-- law: end -->\nb\n"
    assert not run.renew(page, "other", "")


def test_rows_are_kept_and_missing_peers_are_left_out(monkeypatch, tmp_path):
    """What is stored is not measured again; `--fresh` does; a peer that fails has no row."""
    calls = []

    def measured(name, case):
        calls.append(case["program"])
        if case["program"] == "Siconos":
            raise harness.MeasurementError("it diverged")
        return case | {"cpu": float(len(calls))}

    monkeypatch.setattr(run, "in_process", measured)
    monkeypatch.setattr(run, "peer_version", lambda program: None if program == "Exudyn" else "1")
    programs = ("fecontact", "Exudyn", "Siconos")
    columns = (harness.Column("program", "program"), harness.Column("cpu", "s"))
    cases = tuple({"program": program} for program in programs)
    asked = harness.Question("trial", dict, cases, (), columns)
    first = run.answered(asked, tmp_path, fresh=False, only="")
    assert [row["program"] for row in first] == ["fecontact"]
    assert run.answered(asked, tmp_path, fresh=False, only="fecontact") == first
    assert calls == ["fecontact", "Siconos"]
    anew = run.answered(asked, tmp_path, fresh=True, only="fecontact")
    assert anew[0]["cpu"] == 3.0
    assert run.missing(asked) == {"Exudyn": harness.PEERS["Exudyn"].install}


@pytest.mark.parametrize("goal", goals.GOALS, ids=lambda goal: goal.what)
def test_goals_name_rows_that_are_measured(goal):
    asked = run.question(goal.question)
    row = goals.row_of(list(asked.cases), goals.CASE | goal.case)
    assert row is not None
    assert goal.limit > 0.0


def test_a_goal_says_whether_it_is_held():
    goal = goals.Goal("steps/s", "law", {"n": 4}, "s", 10.0, at_least=True)
    assert goal.line(rows(1.0), rows(0.0)) == "| steps/s | 12 | 3 | at least 10 | no |"
    assert goal.line([], rows(2.0)) == "| steps/s |  | 48 | at least 10 | yes |"


@pytest.mark.parametrize("name", run.QUESTIONS)
def test_tables_of_the_docs_are_those_of_the_results(name):
    page, asked = harness.PAGE.read_text(encoding="utf-8"), run.question(name)
    stored = run.ordered(asked, run.rows_of(run.RESULTS, name))
    if not stored:  # the page says so, or what an earlier version did
        own = page.partition(f"<!-- {name}: begin -->\n")[2]
        assert own.startswith(("Not measured yet", "Measured with version"))
        return
    assert asked.markdown(stored) in page
    if asked.growths:
        assert f"pictures/bench_{name}.png" in page
        assert (harness.PICTURES / f"bench_{name}.png").exists()


def test_goals_of_the_docs_are_those_of_the_results():
    folders = (run.BEFORE, run.RESULTS)
    table = goals.summary(*(run.partial(run.rows_of, folder) for folder in folders))
    assert table in harness.PAGE.read_text(encoding="utf-8")
    assert run.conditions(run.RESULTS) in harness.PAGE.read_text(encoding="utf-8")


def test_rows_of_goals_are_measured_with_a_version_before():
    """All rows that a goal needs, without peers: those of all steps for a ratio at equal error."""
    asked = run.question("oscillators").cases
    found = goals.needed("oscillators", asked)
    assert found == [case for case in asked if case["program"] == "fecontact"]
    line = {"program": "fecontact", "task": "line", "harmonics": 6, "points": 200}
    assert goals.row_of(goals.needed("disc_map", run.question("disc_map").cases), line) is not None
    assert all(row["program"] == "fecontact" for row in goals.needed("block_on_feet", asked))


def test_ratios_of_a_version_before_take_the_peers_of_now():
    ball = [{"program": "fecontact", "step": 1e-3, "rate": 2.0}]
    peer = [{"program": "Siconos", "step": 1e-3, "rate": 4.0}]
    before = {"bouncing_ball": ball}
    now = {"bouncing_ball": [ball[0] | {"rate": 8.0}, *peer]}
    table = goals.summary(lambda name: before.get(name, []), lambda name: now.get(name, []))
    line = next(line for line in table.splitlines() if "bouncing ball" in line)
    assert line == "| bouncing ball, steps/s over Siconos' | 0.5 | 2 | at least 1 | yes |"
