"""Checks of computed against reference values, and the file `summary.json`.

A check states a quantity, what was computed, what it is compared with and how well they must
agree. `write_summary` writes the file in one piece: it is complete or absent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.drafts import write_file
from fecontact.errors import NON_NEGATIVE, InputError, check, one_of
from fecontact.files import plain_file, reading

__all__ = [
    "FORMER_KINDS",
    "KINDS",
    "RELATIONS",
    "SCHEMA",
    "Check",
    "compare",
    "listed_files",
    "write_summary",
]

SCHEMA = 1
RELATIONS = ("eq", "le", "ge", "in", "is")
KINDS = ("closed_form", "published", "source_notes", "cross_method", "trend")
FORMER_KINDS = {"digest": "source_notes"}

Value = float | int | bool | str | None
Reference = Value | tuple[float, float]


@dataclass(frozen=True)
class Check:
    """One row of the table; deviation and tolerance are in `unit`."""

    quantity: str
    unit: str
    computed: Value
    reference: Reference
    deviation: float | None
    tolerance: float | None
    relation: str
    kind: str
    status: str
    source: str
    basis: str | None = None
    method: str | None = None
    reason: str | None = None
    place: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Fields for the summary; basis, method, reason and place only where given."""
        optional = ("basis", "method", "reason", "place")
        return {k: v for k, v in asdict(self).items() if k not in optional or v is not None}


def compare(
    quantity: str,
    computed: Value,
    reference: Reference,
    *,
    source: str,
    kind: str,
    unit: str = "",
    tolerance: float = 0.0,
    relation: str = "eq",
    applicable: bool = True,
    known_deviation: tuple[str, str] | None = None,
    basis: str | None = None,
    method: str | None = None,
) -> Check:
    """Compare a computed value with a reference.

    Parameters
    ----------
    quantity, unit
        What is compared, and its unit.
    computed, reference
        Values; for the relation "in" the reference is an interval, for "is" any value.
    source
        Where the reference comes from.
    kind
        One of closed_form, published, source_notes, cross_method, trend.
    tolerance
        Allowed deviation in `unit`.
    relation
        "eq", "le", "ge", "in" (inside an interval), "is" (equal, not numeric).
    applicable
        False if the reference belongs to other parameters than those of the run.
    known_deviation
        Reason, and the place that calls the print unconfirmed; turns "missed" into
        "known_deviation".
    basis, method
        Which of several variants was run.

    Examples
    --------
    >>> row = compare("f1", 100.2, 100.0, unit="Hz", tolerance=0.5, kind="closed_form",
    ...               source="beam theory")
    >>> row.status, round(row.deviation, 3)
    ('met', 0.2)
    """
    check("relation", relation, one_of(RELATIONS))
    kind = FORMER_KINDS.get(kind, kind)
    check("kind", kind, one_of(KINDS))
    check("tolerance", tolerance, NON_NEGATIVE, unit)
    computed, reference = _plain(computed), _plain(reference)
    if any(_finite(value) is None for value in np.ravel(np.array(reference, dtype=object))):
        raise InputError(
            f"invalid reference of '{quantity}' = {reference}: expected a finite number"
        )
    deviation = _deviation(computed, reference, relation)
    if not applicable:
        status = "not_applicable"
    elif _holds(computed, reference, deviation, tolerance, relation):
        status = "met"
    else:
        status = "missed" if known_deviation is None else "known_deviation"
    return Check(
        quantity=quantity,
        unit=unit,
        computed=_finite(computed),
        reference=reference,
        deviation=_finite(deviation),
        tolerance=None if relation == "is" else tolerance,
        relation=relation,
        kind=kind,
        status=status,
        source=source,
        basis=basis,
        method=method,
        reason=known_deviation[0] if known_deviation and status == "known_deviation" else None,
        place=known_deviation[1] if known_deviation and status == "known_deviation" else None,
    )


def write_summary(
    folder: Path,
    *,
    case: str,
    parameters: Mapping[str, Any],
    version: str,
    elapsed_s: float,
    files: Sequence[str],
    checks: Sequence[Check],
    interrupted: bool = False,
) -> Path:
    """Write `summary.json` atomically; NaN and infinity are refused.

    The summary of a run that was interrupted says so, and judges nothing: `checks` is empty.
    """
    missed = any(row.status == "missed" for row in checks)
    if interrupted and checks:
        raise InputError("invalid checks of an interrupted run: expected none, which judge a part")
    content = {
        "schema": SCHEMA,
        "case": case,
        "parameters": dict(parameters),
        "status": "interrupted" if interrupted else "missed" if missed else "met",
        "version": version,
        "elapsed_s": round(elapsed_s, 3),
        "files": list(files),
        "checks": [row.to_dict() for row in checks],
    }
    target = folder / "summary.json"
    text = json.dumps(content, indent=2, allow_nan=False) + "\n"
    write_file(target, text.encode())
    return target


def listed_files(folder: Path) -> list[Path]:
    """Files inside the folder that its summary lists; none if there is no readable summary.

    Results of an interrupted run are left out: a restart continues them.
    """
    home = folder.resolve()
    try:
        summary = plain_file(folder / "summary.json")
        with reading(summary):
            about = json.loads(summary.read_bytes())
            kept = {".h5"} if about.get("status") == "interrupted" else set[str]()
            files = [folder / name for name in about["files"]]
            return [
                file
                for file in files
                if home in file.resolve().parents and file.is_file() and file.suffix not in kept
            ]
    except InputError:
        return []


def _deviation(computed: Value, reference: Reference, relation: str) -> float | None:
    if relation == "is" or computed is None or isinstance(computed, str):
        return None
    if isinstance(reference, tuple):
        return float(computed - min(max(computed, reference[0]), reference[1]))
    if reference is None or isinstance(reference, str):
        return None
    return float(computed - reference)


def _holds(
    computed: Value,
    reference: Reference,
    deviation: float | None,
    tolerance: float,
    relation: str,
) -> bool:
    if relation == "is":
        return computed == reference
    if deviation is None or not math.isfinite(deviation):
        return False
    if relation == "le":
        return deviation <= tolerance
    if relation == "ge":
        return deviation >= -tolerance
    return abs(deviation) <= tolerance


def _plain(value: Any) -> Any:
    """Python's own numbers instead of numpy's, which JSON does not know."""
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return value.item() if isinstance(value, np.generic) else value


def _finite(value: Any) -> Any:
    """Return None for NaN and infinity, which JSON cannot hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
