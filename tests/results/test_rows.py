"""Records in memory that are not written yet."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.results.hdf5.rows import Rows, as_arrays


def record(k):
    rng = np.random.default_rng(k)
    return {
        "t": 0.1 * k,
        "steps": 3 * k,
        "q": rng.random(5),
        "energy": rng.random(),
        "status": rng.integers(0, 4, 7),
        "lam": np.zeros(0),
        "traction": rng.random((4, 3)).T.copy().T,
    }


def test_rows_are_copies_of_the_records():
    """Numbers and arrays of any layout, in the types of the first record."""
    first = {**record(0), "status": record(0)["status"].astype(np.int8)}
    rows = Rows(first, 6)
    given = [record(k) for k in range(6)]
    for k, each in enumerate(given):
        rows.put(k, each)
    found = rows.parts(1, 5)
    assert found.keys() == first.keys()
    for name, part in found.items():
        np.testing.assert_array_equal(part, np.array([each[name] for each in given[1:5]]), name)
    types = {name: part.dtype for name, part in found.items()}
    assert (types["status"], types["steps"], types["t"]) == (np.int8, np.int64, np.float64)
    given[2]["q"][:] = -1.0
    np.testing.assert_array_equal(rows.parts(2, 3)["q"][0], record(2)["q"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"q": np.zeros(4)}, r"'q' has the shape \(4,\), not \(5,\)"),
        ({"q": 0.0}, r"'q' has the shape \(\), not \(5,\)"),
        ({"traction": np.zeros((3, 4))}, r"'traction' has the shape \(3, 4\)"),
        ({"heat": 1.0}, "a record has the parts"),
        ({"t": np.zeros(2)}, "setting an array element"),
    ],
)
def test_records_of_another_shape_are_refused(change, words):
    """Also such as numpy would spread over a row."""
    rows = Rows(record(0), 2)
    with pytest.raises(ValueError, match=words):
        rows.put(0, {**record(1), **change})


def test_integers_are_kept_and_all_else_is_float():
    found = as_arrays({"on": True, "n": np.uint8(3), "x": [1, 2], "y": np.float32(0.5)})
    kinds = {name: part.dtype.kind for name, part in found.items()}
    assert kinds == {"on": "f", "n": "u", "x": "i", "y": "f"}
    assert found["y"].dtype == np.float64
