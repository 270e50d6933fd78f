"""What a system consists of: as a record for JSON, and as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.body.base import as_body
from fecontact.system.assembly import Assembly
from fecontact.system.constraints.redundancy import redundancy
from fecontact.system.program import is_called_back
from fecontact.system.state import State
from fecontact.typing import Body, Constraint, Floats, Item, supports

__all__ = ["describe", "groups", "report"]

TRANSLATIONS = {"ux", "uy", "uz"}
PROBE = 1e-6
"""Step in m or rad by which links of full finite-element bodies are found."""

LISTED = 8
"""Names in one line of the text."""


def describe(assembly: Assembly) -> dict[str, Any]:
    """Record of a system in plain Python types; ranks are those of the reference position."""
    rank = redundancy(assembly, assembly.rest())
    others = [item for item in assembly.items if item not in assembly.bodies]
    return {
        "dofs": assembly.size,
        "rows": len(assembly.rows),
        "rank": rank.rank,
        "mobility": rank.mobility,
        "bodies": [_body(body) for body in assembly.bodies],
        "constraints": [
            {**_item(c), "level": c.level, "rows": list(c.rows)} for c in assembly.constraints
        ],
        "forces": [_item(item) for item in others if not supports(item, "status")],
        "contacts": [_contact(item) for item in others if supports(item, "status")],
        "redundant": list(rank.redundant),
        "conflicts": rank.conflicts,
        "groups": groups(assembly),
        "in_python": _called_back(assembly),
        "notes": _notes(assembly),
    }


def report(assembly: Assembly) -> str:
    """Text of `describe`, aligned."""
    record = describe(assembly)
    numbers = {"bodies": len(record["bodies"])}
    numbers |= {name: record[name] for name in ("dofs", "rows", "rank", "mobility")}
    lines = [", ".join(f"{name} {number}" for name, number in numbers.items())]
    bodies = [
        [b["name"], b["kind"], "-" if b["mass"] is None else f"{b['mass']:.6g} kg", b["dofs"]]
        for b in record["bodies"]
    ]
    lines += _table("bodies", bodies)
    for title, last in (("constraints", "rows"), ("forces", ""), ("contacts", "backend")):
        table = [
            [i["name"], i["kind"], ["-".join(_ends(i))], i.get(last, [])] for i in record[title]
        ]
        lines += _table(title, table)
    lines += _table("redundant rows", [[record["redundant"]]] if record["redundant"] else [])
    conflicts = [[name, f"{value:+.3e}"] for name, value in record["conflicts"].items()]
    lines += _table("conflicting rows", conflicts)
    loose = [[group["bodies"]] for group in record["groups"] if not group["ground"]]
    lines += _table("not connected to the ground", loose)
    if record["in_python"]:
        lines.append(f"in Python: {', '.join(record['in_python'])}")
    lines += _table("notes", [[note] for note in record["notes"]])
    return "\n".join(lines)


def groups(assembly: Assembly) -> list[dict[str, Any]]:
    """Groups of connected bodies, and whether they are connected to the ground.

    Constraints and contacts connect their bodies; force elements do if a motion of one body changes
    the force on another. A constraint of one body connects it to the ground, a force element does
    if a translation changes its force; so loads do not. A body that lacks a translation is held by
    the ground.
    """
    label = {body.name: number for number, body in enumerate(assembly.bodies, start=1)}
    ground = ""
    label[ground] = 0

    def join(a: str, b: str) -> None:
        old, new = sorted((label[a], label[b]), reverse=True)
        label.update({name: new for name, value in label.items() if value == old})

    for body in assembly.bodies:
        if _grounded(body):
            join(body.name, ground)
    for a, b in _links(assembly):
        join(a, b or ground)
    return [
        {"bodies": [b.name for b in assembly.bodies if label[b.name] == n], "ground": n == 0}
        for n in sorted({label[body.name] for body in assembly.bodies})
    ]


def _links(assembly: Assembly) -> list[tuple[str, str]]:
    """Pairs of connected bodies; an empty name is the ground."""
    links: list[tuple[str, str]] = []
    for constraint in assembly.constraints:
        names = [body.name for body in constraint.bodies]
        links += pairwise(names if len(names) > 1 else [*names, ""])
    state = assembly.rest()
    for item in assembly.items[len(assembly.bodies) :]:
        names = [body.name for body in item.bodies]
        if supports(item, "status"):
            links += pairwise(names)
        else:
            links += _coupled(item, *_couplings(assembly, item, state))
    return links


def _grounded(body: Body) -> bool:
    """Whether a body lacks a translation; a full finite-element one by its supports."""
    full = as_body(body).finite_elements
    return not set(body.dofs) >= TRANSLATIONS if full is None else not all(full.free_translations)


def _couplings(
    assembly: Assembly, item: Item, state: State
) -> tuple[npt.NDArray[np.bool_], list[slice]]:
    """Whether steps change the force of an element (n, k), and the steps (k) of each body.

    Steps are the dofs; of full finite-element bodies, which have too many, the rigid-body modes.
    """
    if not any(body.name in assembly.full for body in item.bodies):
        by_q, by_v = item.tangents(state.t, *assembly.local(item, state))
        return np.abs(by_q) + np.abs(by_v) > 0.0, _parts([len(b.dofs) for b in item.bodies])
    q, v = assembly.local(item, state)
    steps = [_steps(body) for body in item.bodies]
    here = item.force(state.t, q, v)
    changes, first = [], 0
    ends = _parts([len(body.reference()) for body in item.bodies])
    for body, part, own in zip(item.bodies, ends, steps, strict=True):
        for step in own.T:
            moved, speed = q.copy(), v.copy()
            moved[part] = body.move(q[part], PROBE * step)
            speed[first : first + len(step)] = step
            there = item.force(state.t, moved, v), item.force(state.t, q, speed)
            changes.append(np.abs(there[0] - here) + np.abs(there[1] - here) > 0.0)
        first += len(body.dofs)
    return np.array(changes).T, _parts([own.shape[1] for own in steps])


def _steps(body: Body) -> Floats:
    """Steps (n, k) of a body that may change a force."""
    full = as_body(body).finite_elements
    if full is None:
        return np.eye(len(body.dofs))
    return np.asarray(full.model.rigid_body_modes()[full.model.free])


def _parts(sizes: Sequence[int]) -> list[slice]:
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]


def _coupled(
    item: Item, coupled: npt.NDArray[np.bool_], steps: Sequence[slice]
) -> list[tuple[str, str]]:
    """Links of a force element from the pattern (n, k) of its changes by the steps of bodies."""
    if len(item.bodies) == 1:
        body = item.bodies[0]
        along: Any = [dof in TRANSLATIONS for dof in body.dofs]
        if as_body(body).finite_elements is not None:
            along = slice(3)
        return [(body.name, "")] if coupled[:, along].any() else []
    parts = _parts([len(body.dofs) for body in item.bodies])
    return [
        (item.bodies[i].name, item.bodies[j].name)
        for i in range(len(parts))
        for j in range(i)
        if coupled[parts[i], steps[j]].any() or coupled[parts[j], steps[i]].any()
    ]


def _notes(assembly: Assembly) -> list[str]:
    """Where the model leaves out what a user may expect."""
    held = {body.name for constraint in assembly.constraints for body in constraint.bodies}
    return [
        f"{body.name}: reactions of its joints do not stiffen it; reduce it with supports there"
        for body in assembly.bodies
        if as_body(body).stiffened_as_free and body.name in held
    ]


def _called_back(assembly: Assembly) -> list[str]:
    """Bodies and forces that a program evaluates in Python; a contact says so by its backend."""
    return [
        item.name
        for item in assembly.items
        if not supports(item, "status")
        and not any(body.name in assembly.full for body in item.bodies)
        and is_called_back(item)
    ]


def _body(body: Body) -> dict[str, Any]:
    mass = float(getattr(body, "mass", np.nan))
    known = mass if np.isfinite(mass) else None
    return {**_kind(body), "mass": known, "dofs": list(body.dofs)}


def _item(item: Item | Constraint) -> dict[str, Any]:
    return {**_kind(item), "bodies": [body.name for body in item.bodies]}


def _contact(item: Item) -> dict[str, Any]:
    return {**_item(item), "backend": str(getattr(item, "backend", "reference"))}


def _kind(item: Item | Constraint) -> dict[str, Any]:
    return {"name": item.name, "kind": type(item).__name__}


def _ends(record: dict[str, Any]) -> list[str]:
    ground = ["ground"] if "rows" in record and len(record["bodies"]) == 1 else []
    return [*record["bodies"], *ground]


def _table(title: str, table: Sequence[Sequence[str | list[str]]]) -> list[str]:
    """Lines with a title and aligned columns; long lists of names are shortened."""
    if not table:
        return []
    cells = [[cell if isinstance(cell, str) else _shortened(cell) for cell in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return [title, *(f"  {line}" for line in lines)]


def _shortened(names: Sequence[str]) -> str:
    if len(names) <= LISTED:
        return " ".join(names)
    return f"{' '.join(names[: LISTED - 2])} ... {names[-1]} ({len(names)})"
