"""Changed files of every format: each is read or refused in one line, soon and in little memory."""

from __future__ import annotations

import pytest
from readers import READERS
from run import trials


def assert_all_end_well(reader: str, count: int) -> None:
    found = trials(reader, count)
    print(found)
    assert found["failed"] == 0, found["failures"]
    assert found["read"] + found["refused"] == count


@pytest.mark.parametrize("reader", READERS)
def test_changed_files(reader: str) -> None:
    assert_all_end_well(reader, 300)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_many_changed_files(reader: str) -> None:
    assert_all_end_well(reader, 20_000)
