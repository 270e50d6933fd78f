"""Instants at which contact points change their status, as a list.

The event-driven method locates each instant. All other methods know the status at the end of steps,
and a file at its records: there a change lies between the last look and the next one, and what
happens in between and is undone is not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["COLUMNS", "NO_SWITCHES", "STATUS_WORDS", "ContactSwitch", "located", "seen"]

STATUS_WORDS = ("open", "stick", "slip", "gross slip")
"""What a point does, by its number."""
COLUMNS = 4
"""Time, number of the point among those of all contacts, number of its status before and after."""
NO_SWITCHES = np.zeros((0, COLUMNS))


class ContactSwitch(NamedTuple):
    """A contact point that changed its status.

    Attributes
    ----------
    t
        Time in s at which the new status was seen first.
    contact, point
        Name of the contact and number of the point in it.
    before, after
        "open", "stick", "slip" or "gross slip".
    since
        Time in s of the last look before: the change lies between the two. It is `t` where the
        method located the instant ("events").
    """

    t: float
    contact: str
    point: int
    before: str
    after: str
    since: float


def located(rows: Floats, contacts: Sequence[tuple[str, int]]) -> list[ContactSwitch]:
    """Switches from located instants (e, 4); contacts with their numbers of points, in order."""
    owners = _owners(contacts)
    _check(rows[:, 1], len(owners), "points")
    _check(rows[:, 2:], len(STATUS_WORDS), "status")
    return [
        ContactSwitch(
            float(t), *owners[int(point)], STATUS_WORDS[int(old)], STATUS_WORDS[int(new)], float(t)
        )
        for t, point, old, new in rows
    ]


def seen(t: Floats, statuses: Integers, contacts: Sequence[tuple[str, int]]) -> list[ContactSwitch]:
    """Switches between looks at the times (k,), from what all points do there (k, p).

    Examples
    --------
    >>> seen(np.array([0.0, 1.0, 2.0]), np.array([[1], [1], [2]]), [("foot", 1)])[0]
    ContactSwitch(t=2.0, contact='foot', point=0, before='stick', after='slip', since=1.0)
    """
    owners = _owners(contacts)
    _check(statuses, len(STATUS_WORDS), "status")
    return [
        ContactSwitch(
            float(t[row + 1]), *owners[point], STATUS_WORDS[statuses[row, point]],
            STATUS_WORDS[statuses[row + 1, point]], float(t[row]),
        )
        for row, point in np.argwhere(statuses[1:] != statuses[:-1]).tolist()
    ]  # fmt: skip


def _check(numbers: Floats | Integers, count: int, what: str) -> None:
    """Raise an `InputError` unless all are whole numbers from 0 to count - 1."""
    known = (numbers >= 0) & (numbers < count) & (numbers == np.floor(numbers))
    if not known.all():
        raise InputError(
            f"the switches of contact points are damaged: invalid {what} {numbers[~known][0]}: "
            f"expected 0 to {count - 1}"
        )


def _owners(contacts: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Contact and own number of each point."""
    return [(name, point) for name, count in contacts for point in range(count)]
