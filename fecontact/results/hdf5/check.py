"""Checks of a result file against itself: names, sizes and indices that its parts give each other.

Histories are cut out of the records by numbers that the file gives; a wrong one would show the
history of something else, or of less points than there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from fecontact.errors import InputError
from fecontact.results.fingerprint import differences, fingerprint
from fecontact.results.hdf5.file import StoredRun
from fecontact.results.source import POINT_FIELDS, POINT_SUMS
from fecontact.system import System

__all__ = ["check_result", "check_system"]

Shapes = Mapping[str, tuple[int, ...]]
Conditions = Iterator[tuple[bool, str]]
"""What must hold, and the words if it does not; each is looked at before the next is formed."""

NO_ANGLE = -1
SHOWN = 5
"""Differences of two systems in a message."""


def check_result(run: StoredRun) -> None:
    """Raise an `InputError` that names the first thing that does not fit.

    Geometry is checked when it is read, see `fecontact.results.geometry`.
    """
    about, shapes = run.about, run.shapes
    conditions = chain(
        _coordinates(about, shapes),
        _contacts(about, shapes, run.fixed_names),
        _lines(about, shapes),
        _geometry(about, shapes),
        _sensors(about, shapes),
    )
    for condition, words in conditions:
        if not condition:
            raise InputError(f"file '{run.path}' is damaged: {words}")


def check_system(run: StoredRun, system: System) -> None:
    """Raise an `InputError` that says how a system differs from that of a file."""
    if not isinstance(run.about.get("fingerprint"), dict):
        raise InputError(f"{run.label} does not say of which system it is")
    found = differences(run.about["fingerprint"], fingerprint(system))
    if found:
        more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise InputError(
            f"{run.label} was made with another system: {', '.join(found[:SHOWN])}{more}"
        )


def _coordinates(about: Any, shapes: Shapes) -> Conditions:
    """Conditions on the dofs and the rows of constraints."""
    names, indices, rows = (about.get(key) for key in ("coordinates", "places", "rows"))
    yield isinstance(about.get("method"), str), "its method is no text"
    origin, events = about.get("origin", 0.0), about.get("events", [])
    yield isinstance(origin, int | float) and math.isfinite(origin), "its origin is no time"
    texts = isinstance(events, list) and all(isinstance(name, str) for name in events)
    yield texts, "its events are no list of names"
    yield _are_names(names), "its coordinates are no list of different names"
    yield _are_names(rows), "its rows are no list of different names"
    yield shapes.get("t") == (), "it has no times"
    for record, length in (("v", len(names)), ("a", len(names)), ("lam", len(rows))):
        yield (
            shapes.get(record, (0,)) == (length,),
            f"its record '{record}' is not of length {length}",
        )
    yield len(shapes.get("q", (0,))) == 1, "its record 'q' is not of one number per coordinate"
    size = shapes.get("q", (0,))[0]
    yield (
        _are_whole(indices, NO_ANGLE, size) and len(indices) == len(names),
        (f"its places are not one of {NO_ANGLE} to {size - 1} for each coordinate"),
    )
    bodies = about.get("bodies")
    yield isinstance(bodies, dict), "it has no bodies"
    for name, part in bodies.items():
        inside = _are_whole(part, 0, size + 1) and len(part) == 2 and part[0] <= part[1]
        yield inside, f"body '{name}' has the coordinates {part} of {size}"


def _contacts(about: Any, shapes: Shapes, fixed: Sequence[str]) -> Conditions:
    """Conditions on the fields of contacts."""
    contacts = about.get("contacts")
    yield isinstance(contacts, list) and all(isinstance(c, dict) for c in contacts), "no contacts"
    yield _are_names([c.get("name") for c in contacts]), "its contacts have no different names"
    counts = [c.get("points") for c in contacts]
    yield _are_whole(counts, 0), "its contacts have no whole numbers of points"
    yield from _states(contacts, shapes)
    stateful = 0
    for index, points in enumerate(counts):
        path = f"contacts/{index}"
        yield f"{path}/weights" in fixed, f"contact {index} has no weights"
        stateful += points if f"{path}/status" not in shapes else 0
        for name, shape in ({"status": ()} | POINT_FIELDS).items():
            found = shapes.get(f"{path}/{name}", (points, *shape))
            yield found == (points, *shape), f"'{path}/{name}' has the shape {found}"
        for name in POINT_SUMS:
            yield shapes.get(f"{path}/{name}", ()) == (), f"'{path}/{name}' is no number per time"
    statuses, slip_totals = shapes.get("status", (0,)), shapes.get("slip_totals", (0,))
    yield statuses == (stateful,), f"its status is not of {stateful} points"
    yield math.prod(slip_totals) == 2 * stateful, "its slip totals are not of its points"


def _states(contacts: Any, shapes: Shapes) -> Conditions:
    """Conditions on the internal variables of contacts; older files do not name them."""
    columns = [c.get("columns", 0) for c in contacts]
    yield _are_whole(columns, 0), "its contacts have no whole numbers of internal variables"
    for contact, count in zip(contacts, columns, strict=True):
        states = contact.get("states", {})
        known = isinstance(states, dict) and all(size in (1, 3) for size in states.values())
        yield known, f"contact '{contact['name']}' has internal variables of no known size"
        fit = not states or sum(states.values()) == count
        yield fit, f"contact '{contact['name']}' has not {count} internal variables"
    total = sum(c["points"] * count for c, count in zip(contacts, columns, strict=True))
    yield shapes.get("z", (0,)) == (total,) or not total, f"z has not {total} numbers per time"


def _lines(about: Any, shapes: Shapes) -> Conditions:
    """Conditions on energies and counters."""
    for key in ("energies", "statistics"):
        yield _are_names(about.get(key)), f"its {key} are no list of different names"
        for name in about[key]:
            yield shapes.get(f"{key}/{name}") == (), f"'{key}/{name}' is no number per time"


def _geometry(about: Any, shapes: Shapes) -> Conditions:
    """Conditions on the pictures."""
    parts = about.get("geometry")
    yield isinstance(parts, list) and all(isinstance(p, dict) for p in parts), "no geometry"
    yield (
        shapes.get("frames", (0, 12)) == (len(parts), 12),
        "its frames are not those of its geometry",
    )
    for part in parts:
        yield isinstance(part.get("body"), str), "a geometry has no body"
        yield _are_names(part.get("cells")), "a geometry has no cells"
        yield (
            not part["body"] or part["body"] in about["bodies"],
            (f"a geometry belongs to the body '{part['body']}', which is not in it"),
        )


def _sensors(about: Any, shapes: Shapes) -> Conditions:
    """Conditions on the sensors; files of earlier versions have none."""
    parts = about.get("sensors", [])
    told = isinstance(parts, list) and all(isinstance(p, dict) for p in parts)
    yield told, "its sensors are no list of records"
    yield _are_names([p.get("name") for p in parts]), "its sensors have no different names"
    units = all(isinstance(p.get(key), str) for p in parts for key in ("unit", "what"))
    yield units, "its sensors have no units"
    yield (
        shapes.get("sensors", (0,)) == (len(parts),),
        "its record 'sensors' is not of one number per sensor",
    )


def _are_names(values: Any) -> bool:
    """Whether values are a list of different texts that can be shown."""
    texts = isinstance(values, list) and all(
        isinstance(value, str) and value.isprintable() for value in values
    )
    return texts and len(set(values)) == len(values)


def _are_whole(values: Any, least: int, end: float = float("inf")) -> bool:
    """Whether values are a list of whole numbers from `least` to below `end`."""
    return isinstance(values, list) and all(
        isinstance(value, int) and not isinstance(value, bool) and least <= value < end
        for value in values
    )
