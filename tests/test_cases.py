"""Every shipped case runs in its quick form, meets its references and keeps the contract."""

from __future__ import annotations

import json
import math

import pytest

from fecontact.case.references import References
from fecontact.case.registry import case_names, load_case, load_module
from fecontact.case.runner import run_case
from fecontact.results.summary import KINDS, RELATIONS

STATUS = {"met", "missed", "known_deviation", "not_applicable"}


def reject(constant):
    raise AssertionError(f"summary.json holds {constant}")


@pytest.mark.filterwarnings("error:.* is now:DeprecationWarning")
@pytest.mark.parametrize("name", case_names())
def test_quick_form(name, tmp_path):
    name, case = load_case(name)
    assert run_case(name, case, out=tmp_path, quick=True) == 0

    text = (tmp_path / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(text, parse_constant=reject)
    assert summary["schema"] == 1
    assert summary["case"] == name
    assert summary["status"] == "met"
    assert summary["parameters"] == dict(case.parameters.to_dict())
    assert summary["elapsed_s"] > 0
    for file in summary["files"]:
        assert (tmp_path / file).stat().st_size > 0, file
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert written == {*summary["files"], "summary.json"}
    assert summary["checks"]
    for row in summary["checks"]:
        required = {
            "quantity", "unit", "computed", "reference", "deviation", "tolerance", "relation",
            "kind", "status", "source",
        }  # fmt: skip
        assert required <= set(row)
        assert row["relation"] in RELATIONS
        assert row["kind"] in KINDS
        assert row["status"] in STATUS
        assert row["source"]
        if row["relation"] != "is" and row["status"] == "met":
            assert math.isfinite(row["deviation"])
        if row["status"] == "known_deviation":
            assert row["reason"]


@pytest.mark.parametrize("name", case_names())
def test_is_described(name):
    _, case = load_case(name)
    assert case.title
    assert case.verifies
    assert case.quick_s > 0


@pytest.mark.parametrize("name", case_names())
def test_has_a_table_of_references(name):
    tables = [value for value in vars(load_module(name)).values() if isinstance(value, References)]
    assert sum(map(len, tables)) > 0
