"""References of a case: one table, one comparison."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pytest

import fecontact as fc
from fecontact.case.runner import run_case


@dataclass(frozen=True)
class Oscillator(fc.Parameters):
    mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(8.0, "N/m", fc.POSITIVE)
    steps: int = fc.quantity(10, "", fc.POSITIVE, numerical=True)


TABLE = fc.References(
    frequency=fc.Reference("frequency", lambda p: (p.stiffness / p.mass) ** 0.5, "rad/s", 0.1),
    amplitude=fc.Reference(
        "amplitude", 3.0, "m", relative=0.01, source="figure 1", kind="published"
    ),
    other=fc.Reference("by another method", unit="m", tolerance=lambda p: 1.0 / p.steps),
    fine=fc.Reference("order", 2.0, tolerance=0.1, full=True),
    source="linear oscillator",
)
FOUND = {"frequency": 2.05, "amplitude": 3.02, "other": (1.0, 1.05)}


def compared(found, *settings, quick=True, table=TABLE, **details):
    run = fc.Run(Oscillator().override(settings), None, quick)
    run.compare(table, found, **details)
    return {row.quantity: row for row in run.checks}


def test_rows_of_the_table():
    rows = compared(FOUND)
    assert list(rows) == ["frequency", "amplitude", "by another method"]
    frequency, amplitude, other = rows.values()
    assert (frequency.reference, frequency.unit, frequency.tolerance) == (2.0, "rad/s", 0.1)
    assert (frequency.source, frequency.kind) == ("linear oscillator", "closed_form")
    assert (amplitude.tolerance, amplitude.source, amplitude.kind) == (
        0.03,
        "figure 1",
        "published",
    )
    assert (other.computed, other.reference, other.tolerance) == (1.0, 1.05, 0.1)
    assert {row.status for row in rows.values()} == {"met"}
    assert compared({**FOUND, "frequency": 2.2})["frequency"].status == "missed"


@pytest.mark.parametrize("value", [np.float64(2.0), np.array(2.0), np.int64(2), 2])
def test_numbers_of_numpy(value):
    row = compared({**FOUND, "frequency": value})["frequency"]
    assert row.status == "met"
    assert type(row.computed) in (float, int)


def test_truth_of_numpy():
    table = fc.References(sticks=fc.Reference("it sticks", True, relation="is", source="statics"))
    assert compared({"sticks": np.bool_(True)}, table=table)["it sticks"].status == "met"


def test_what_is_missing_or_unknown_is_named():
    with pytest.raises(fc.InputError, match="no computed value for amplitude, other"):
        compared({"frequency": 2.0})
    with pytest.raises(fc.InputError, match=r"frequncy.*frequency"):
        compared({**FOUND, "frequncy": 2.0})
    with pytest.raises(fc.InputError, match="heigth"):
        compared(FOUND, tolerances={"heigth": 2.0})
    with pytest.raises(fc.InputError, match="no computed value for fine"):
        compared(FOUND, quick=False)
    with pytest.raises(fc.InputError, match=r"frequency.*shape \(2,\)"):
        compared({**FOUND, "frequency": np.ones(2)})
    with pytest.raises(fc.InputError, match=r"other.*pair"):
        compared({**FOUND, "other": 1.0})


def test_a_published_value_belongs_to_its_parameters():
    rows = compared(FOUND, "mass=2.1")
    assert rows["frequency"].status == "met"
    assert rows["frequency"].reference == pytest.approx((8.0 / 2.1) ** 0.5)
    assert rows["amplitude"].status == "not_applicable"
    assert compared(FOUND, "steps=11")["amplitude"].status == "met"


def test_tolerances_and_methods_of_the_run():
    rows = compared(FOUND, tolerances={"frequency": 0.01}, method="implicit")
    assert (rows["frequency"].tolerance, rows["frequency"].status) == (0.01, "missed")
    assert {row.method for row in rows.values()} == {"implicit"}
    assert "amplitude, fast" in compared(FOUND, label="fast")


def test_parts_of_a_table():
    assert list(TABLE.only("other", "fine")) == ["other", "fine"]
    with pytest.raises(fc.InputError, match="fin"):
        TABLE.only("fin")
    with pytest.raises(fc.InputError, match="'x' has no source"):
        fc.References(x=fc.Reference("x", 1.0))


def test_figure_is_written_listed_and_closed(tmp_path):
    run = fc.Run(Oscillator(), tmp_path)
    figure, axes = plt.subplots()
    axes.plot([0, 1])
    run.figure("line", figure)
    assert (tmp_path / "line.png").read_bytes().startswith(b"\x89PNG")
    assert run.files == ["line.png"]
    assert not plt.fignum_exists(figure.number)


def test_verifies_was_called_proves():
    about = ("title", ("T1",), Oscillator(), print, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        case = fc.Case(*about)
    assert case.proves == case.verifies == ("T1",)
    with pytest.warns(DeprecationWarning, match=r"Case\(verifies=...\)"):
        old = fc.Case("title", proves=("T1",), parameters=Oscillator(), run=print, quick_s=1.0)
    assert old.verifies == ("T1",)
    with pytest.raises(fc.InputError, match="no quick_s"):
        fc.Case("title", (), Oscillator(), print)


def test_what_a_table_says_of_all_its_rows():
    table = fc.References(
        first=fc.Reference("first", 2.0),
        second=fc.Reference("second", 2.0, tolerance=0.5, relation="ge", varied=("stiffness",)),
        source="figure 1",
        kind="published",
        relative=0.1,
        relation="le",
        varied=("mass",),
    )
    rows = compared({"first": 2.1, "second": 1.5}, "mass=3", table=table)
    first, second = rows.values()
    assert (first.tolerance, first.relation, first.status) == (0.2, "le", "met")
    assert (second.tolerance, second.relation, second.status) == (0.5, "ge", "not_applicable")
    other = compared({"first": 1.0, "second": 1.5}, table=table, source="figure 2", kind="trend")
    assert {(row.source, row.kind) for row in other.values()} == {("figure 2", "trend")}


TEXT = fc.References("""
    stiffness | stiffness       | p.stiffness | N/m | 1e-3 rel
    amplitude | amplitude       | 3.0         | m   | 0.01     | figure 1 | published
    border    | growth          | <= 1e-6     |     |          |          | full; method=implicit
    course    | course          | is stable   |     |          | figure 2 | varied=mass, steps
    range     | range           | in -1 2.5   |     |          |          | fixed
    other     | by another way  |             | m   | p.mass
    bound     | bound           | >=          | m
    *         | Smith 2001      | source_notes; formula
""")


def test_table_as_text():
    assert list(TEXT) == ["stiffness", "amplitude", "border", "course", "range", "other", "bound"]
    p = Oscillator()
    row = TEXT["stiffness"]
    assert (row.quantity, row.value(p), row.unit) == ("stiffness", 8.0, "N/m")
    assert (row.relative, row.tolerance, row.source, row.kind) == (
        1e-3,
        0.0,
        "Smith 2001",
        "source_notes",
    )
    row = TEXT["amplitude"]
    assert (row.value, row.tolerance, row.source, row.kind) == (3.0, 0.01, "figure 1", "published")
    assert row.formula is True
    row = TEXT["border"]
    assert (row.value, row.relation, row.full, row.method) == (1e-6, "le", True, "implicit")
    assert (TEXT["course"].value, TEXT["course"].varied) == ("stable", ("mass", "steps"))
    assert (TEXT["range"].value, TEXT["range"].formula) == ((-1, 2.5), False)
    assert TEXT["other"].value is fc.GIVEN
    assert TEXT["other"].tolerance(p) == 2.0
    assert (TEXT["bound"].value, TEXT["bound"].relation) == (fc.GIVEN, "ge")


def test_table_as_text_compares():
    table = fc.References("""
        stiffness | stiffness | p.stiffness | N/m | 1e-3 rel | data
        border    | growth    | <= 0.1      | 1/s |          | data
    """)
    rows = compared({"stiffness": 8.007, "border": 0.2}, table=table)
    assert [row.status for row in rows.values()] == ["met", "missed"]
    assert rows["stiffness"].tolerance == pytest.approx(8e-3)
    changed = compared({"stiffness": 8.007, "border": 0.0}, "stiffness=9", table=table)
    assert changed["stiffness"].status == "missed"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a | q | many | m | 0.1 | s", "invalid row 'a' of References, 'many': expected a number"),
        ("a | q | 1.0 | m | much | s", "invalid row 'a' of References, 'much': expected a number"),
        ("a | q | in 1 | m | 0.1 | s", "invalid row 'a' .*'in 1': expected 'in' and the two ends"),
        ("a | q | 1 | m | 0.1 | s | printed", "invalid row 'a' .*'printed': expected one of"),
        ("a b | q | 1 | m | 0.1 | s", "invalid row 'a b' .*expected name [|] quantity"),
        ("a | q | 1 | m | 0.1 | s | full | x", "invalid row 'a' .*expected name [|] quantity"),
        ("* | s | full | x", "invalid row '[*]' .*expected [*] [|] source [|] options"),
        ("a | q | 1 | m | 0.1", "reference 'a' has no source"),
        ("a | q | 1 | m | 0.1 | s\na | r | 1 | m | 0.1 | s", "reference 'a' stands twice"),
    ],
)
def test_refused_lines(line, words):
    with pytest.raises(fc.InputError, match=words):
        fc.References(line)


def test_parts_of_a_text():
    table = fc.References("""
        a | first  | 1 | m | 0.1
        b | second | 2 | m | 0.1 | own | trend
        * | Smith 2001 | source_notes
        c | third, a quantity of many words | 3 | m
          | 0.1 | | published
        * | Jones 2002
    """)
    assert [row.source for row in table.values()] == ["Smith 2001", "own", "Jones 2002"]
    assert [row.kind for row in table.values()] == ["source_notes", "trend", "published"]
    assert table["c"].tolerance == 0.1
    assert list(compared({"b": 2.05}, table=table, part=True)) == ["second"]
    with pytest.raises(fc.InputError, match="no computed value for a, c"):
        compared({"b": 2.05}, table=table)


def test_label_inside_the_quantity():
    table = fc.References("a | {} whirl | 1 | m | 0.1 | s")
    assert list(compared({"a": 1.0}, table=table, label="slow")) == ["slow whirl"]


def test_a_name_stands_once():
    with pytest.raises(fc.InputError, match="reference 'a' stands twice"):
        fc.References("a | q | 1 | m | 0.1 | s", a=fc.Reference("q", 1.0, source="s"))


def test_title_is_the_first_line():
    about = (("example",), Oscillator(), lambda run: None)
    assert fc.Case("Oscillator.\n\nA mass on a spring.\n", *about, quick_s=1).title == "Oscillator"
    assert fc.Case("oscillator", *about, quick_s=1).title == "oscillator"


def test_formulas_in_a_text():
    table = fc.References("""
        third   | third     | 4/3                 |   | 1e-9
        energy  | energy    | 0.5 * p.mass * 3**2 | J | 0.1 * p.stiffness
        bound   | bound     | <= -p.mass          |
        stiff   | it is so  | is p.stiffness > p.mass
        *       | Smith 2001
    """)
    p = Oscillator()
    assert table["third"].value == 4.0 / 3.0
    assert (table["energy"].value(p), table["energy"].tolerance(p)) == (9.0, 0.8)
    assert (table["bound"].value(p), table["bound"].relation) == (-2.0, "le")
    assert table["stiff"].value(p) is True
    assert table["energy"].follows()


@pytest.mark.parametrize("line", ["a | q | 2 p.mass | m | 0.1 | s", "a | q | 1 | m | p.mass * | s"])
def test_refused_formulas(line):
    with pytest.raises(fc.InputError, match=r"invalid row 'a' .*expected a formula of the param"):
        fc.References(line)


def table_run(run):
    """Compare the first two rows; the third is of the full form."""
    run.compare(PARTS.only("one"), {"one": 1.0})
    run.compare(PARTS, {"two": 2.0}, part=True)
    if run.quick:
        run.row(PARTS, "four", 4.02)


def forgetful_run(run):
    run.compare(PARTS, {"one": 1.0}, part=True)


def idle_run(run):
    run.check("something else", 1.0, 1.0, tolerance=0.1, kind="trend", source="nobody")


PARTS = fc.References("""
    one   | first  | 1 | m | 0.1
    two   | second | 2 | m | 0.1 |   | published
    three | third  | 3 | m | 0.1 |   | full
    four  | fourth | 4 | m | 0.1 |   | quick
    *     | Smith 2001
""")


@pytest.mark.parametrize(
    ("main", "settings", "quick", "words"),
    [
        (table_run, (), True, ""),
        (table_run, (), False, "the full form has not compared three: expected every row"),
        (forgetful_run, (), True, "the quick form has not compared two, four: expected every row"),
        (forgetful_run, (), False, "has not compared two, three: expected"),
        (forgetful_run, ("mass=3",), True, "has not compared four: expected"),
        (idle_run, (), True, "has not compared one, two, four: expected"),
    ],
)
def test_a_case_that_forgets_rows_ends_with_one_line(
    main, settings, quick, words, tmp_path, capsys, monkeypatch
):
    for table in ("TABLE", "TEXT"):
        monkeypatch.delitem(globals(), table)
    case = fc.Case("parts", ("example",), Oscillator(), main, quick_s=1)
    code = run_case("parts", case, out=tmp_path, settings=settings, quick=quick)
    said = capsys.readouterr().err.strip()
    assert code == (2 if words else 0)
    assert words in " ".join(said.split())
    assert (tmp_path / "summary.json").exists() is not bool(words)


def test_rows_that_changed_parameters_make_meaningless():
    run = fc.Run(Oscillator().override(["mass=3"]), None, True)
    run.leave_out(PARTS, "too heavy")
    assert run.missing(PARTS) == []
    assert run.notes == ["too heavy"]
    with pytest.raises(fc.InputError, match="expected one, two, three, four to be compared"):
        fc.Run(Oscillator(), None, True).leave_out(PARTS, "too light")


def test_known_deviations_of_a_text():
    reason = ("a misprint", "errata")
    table = fc.References("a | q | 3 * pi / 8 | m | 0.1 | s | published", deviations={"a": reason})
    assert table["a"].value == 3.0 * np.pi / 8.0
    assert compared({"a": 7.0}, table=table)["q"].status == "known_deviation"
    with pytest.raises(fc.InputError, match="'b'"):
        fc.References("a | q | 1 | m | 0.1 | s", deviations={"b": reason})
    with pytest.raises(fc.InputError, match="expected a number"):
        fc.References("a | q | 2 pi | m | 0.1 | s")
