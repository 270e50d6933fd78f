from __future__ import annotations

import json
import os

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.results.summary import compare, listed_files, write_summary

COMMON = {"kind": "closed_form", "source": "theory"}


@pytest.mark.parametrize(
    ("computed", "reference", "relation", "tolerance", "status", "deviation"),
    [
        (1.1, 1.0, "eq", 0.2, "met", 0.1),
        (1.3, 1.0, "eq", 0.2, "missed", 0.3),
        (0.9, 1.0, "le", 0.0, "met", -0.1),
        (1.1, 1.0, "le", 0.0, "missed", 0.1),
        (1.1, 1.0, "ge", 0.0, "met", 0.1),
        (0.9, 1.0, "ge", 0.0, "missed", -0.1),
        (2.0, (1.0, 3.0), "in", 0.0, "met", 0.0),
        (3.5, (1.0, 3.0), "in", 0.0, "missed", 0.5),
        (0.5, (1.0, 3.0), "in", 0.6, "met", -0.5),
        ("stable", "stable", "is", 0.0, "met", None),
        ("unstable", "stable", "is", 0.0, "missed", None),
        (float("nan"), 1.0, "eq", 1.0, "missed", None),
        (float("inf"), 1.0, "ge", 1.0, "missed", None),
        (None, 1.0, "eq", 1.0, "missed", None),
    ],
)
def test_relations(computed, reference, relation, tolerance, status, deviation):
    row = compare("x", computed, reference, relation=relation, tolerance=tolerance, **COMMON)
    assert row.status == status
    assert row.deviation == (None if deviation is None else pytest.approx(deviation))


def test_known_deviation_keeps_its_reason_only_when_missed():
    missed = compare(
        "x", 2.0, 1.0, known_deviation=("other data", "source notes Jehle 10"), **COMMON
    )
    assert missed.status == "known_deviation"
    assert missed.to_dict()["reason"] == "other data"
    assert missed.to_dict()["place"] == "source notes Jehle 10"
    met = compare("x", 1.0, 1.0, known_deviation=("other data", "source_notes"), **COMMON)
    assert met.status == "met"
    assert "reason" not in met.to_dict()


def test_not_applicable_is_never_missed():
    assert compare("x", 2.0, 1.0, applicable=False, **COMMON).status == "not_applicable"


@pytest.mark.parametrize("wrong", [{"relation": "near"}, {"kind": "guess"}])
def test_words_are_checked(wrong):
    with pytest.raises(InputError):
        compare("x", 1.0, 1.0, **{**COMMON, **wrong})


def content(folder, checks):
    return write_summary(
        folder, case="c", parameters={"a": 1}, version="0", elapsed_s=1.0, files=[], checks=checks
    )


def test_no_nan_in_the_file(tmp_path):
    row = compare("x", float("nan"), 1.0, **COMMON)
    text = content(tmp_path, [row]).read_text(encoding="utf-8")
    assert "NaN" not in text
    assert json.loads(text)["checks"][0]["computed"] is None


@pytest.mark.parametrize("number", [np.float32(1.5), np.int64(2), np.bool_(True)])
def test_numbers_of_numpy_are_written(tmp_path, number):
    row = compare("x", number, number, **COMMON)
    text = content(tmp_path, [row]).read_text(encoding="utf-8")
    assert json.loads(text)["checks"][0]["computed"] == number


@pytest.mark.parametrize(
    "wrong", [{"reference": float("nan")}, {"reference": (0.0, float("inf"))}, {"tolerance": -1.0}]
)
def test_impossible_references(wrong):
    with pytest.raises(InputError, match="invalid"):
        compare(**{"quantity": "x", "computed": 1.0, "reference": 1.0, **COMMON, **wrong})


def test_only_the_summary_is_left(tmp_path):
    content(tmp_path, [])
    assert os.listdir(tmp_path) == ["summary.json"]


def test_listed_files_stay_inside_the_folder(tmp_path):
    (tmp_path / "inside.png").write_text("x", encoding="utf-8")
    (tmp_path.parent / "outside.png").write_text("x", encoding="utf-8")
    names = ["inside.png", "../outside.png", "gone.png", str(tmp_path.parent / "outside.png")]
    (tmp_path / "summary.json").write_text(json.dumps({"files": names}), encoding="utf-8")
    assert listed_files(tmp_path) == [tmp_path / "inside.png"]


@pytest.mark.parametrize("text", ["", "[]", '{"files": 3}', '{"files": [3]}', "{"])
def test_foreign_summaries_list_nothing(tmp_path, text):
    (tmp_path / "summary.json").write_text(text, encoding="utf-8")
    assert listed_files(tmp_path) == []


def test_unwritable_target(tmp_path):
    with pytest.raises(InputError, match=r"summary\.json"):
        content(tmp_path / "no" / "such", [])
