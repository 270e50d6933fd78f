"""References of a case as one table: what is compared with what, how closely, and from where."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from fecontact.errors import InputError, unknown
from fecontact.results.summary import FORMER_KINDS, KINDS
from fecontact.results.summary import Reference as Value

__all__ = ["GIVEN", "Reference", "References", "plain"]


class _Given:
    """Mark of a value that only the run knows."""

    def __repr__(self) -> str:
        return "GIVEN"


GIVEN: Final = _Given()
"""Value of a reference that another method computes in the run itself."""


@dataclass(frozen=True)
class Reference:
    """One row of the table of references.

    Parameters
    ----------
    quantity
        What is compared, in words.
    value
        Number, word, or interval; or a function of the parameters that returns it. Left out, it
        comes with the computed value as a pair `(computed, reference)`.
    unit
        SI unit of value and tolerance.
    tolerance
        Allowed deviation in `unit`, or a function of the parameters.
    source
        Where the value comes from, in words for a stranger: "Jehle 2016, figure 7.6".
    kind
        closed_form (default), published, source_notes, cross_method, trend.
    relation
        "eq", "le", "ge", "in" (inside an interval), "is" (equal, not numeric).
    formula
        True if the value follows the parameters or is independent of them; False if it belongs to
        the parameters of the source. Default: False for published values and source notes, unless
        the value is a function.
    relative
        Allowed deviation as a ratio of the value, instead of `tolerance`.
    method, basis
        Which of several variants was run.
    varied
        Parameters that the row itself sets.
    known_deviation
        Reason, and the place that calls the print unconfirmed.
    full
        True for a row of the full form, which the quick form may leave out. Every other row has to
        be compared at least once before the case ends.
    quick
        True for a row of the quick form, which the full form may leave out.
    """

    quantity: str
    value: Value | Callable[[Any], Value] | _Given = GIVEN
    unit: str = ""
    tolerance: float | Callable[[Any], float] = 0.0
    source: str = ""
    kind: str = ""
    relation: str = "eq"
    formula: bool | None = None
    relative: float | None = None
    method: str | None = None
    basis: str | None = None
    varied: tuple[str, ...] = ()
    known_deviation: tuple[str, str] | None = None
    full: bool = False
    quick: bool = False

    def follows(self) -> bool:
        """Whether the value stays right when a physical parameter is changed."""
        if self.formula is not None:
            return self.formula
        kind = FORMER_KINDS.get(self.kind, self.kind)
        return callable(self.value) or kind not in ("published", "source_notes")


class References(Mapping[str, Reference]):
    """Table of references by short names, in the order of the printed table.

    Parameters
    ----------
    rows
        Table as text, or references by name where the names are computed; single ones may also be
        given as keywords.
    source, kind, formula, relative, relation, varied
        Of all rows that do not say otherwise.
    deviations
        Known deviations by name: the reason, and the place that calls the print unconfirmed.

    Notes
    -----
    The text has one line per row, with up to seven columns:

        name | quantity | value | unit | tolerance | source | options

    - value: `3.2`, `4/3`, `pi/2`, `<= 1e-9`, `>= 0`, `in 1.2 1.4`, `is stable`; `p.force`, or a
      formula such as `0.5 * p.force`, of the parameters p (after `<=`, `>=`, `is` too); nothing, or
      the sign alone, where the run brings it;
    - tolerance: `1e-6` in the unit, `1e-6 rel` as a ratio of the value, `p.error` or a formula;
      nothing is 0;
    - options, separated by `;`: a kind (`published`, `source_notes`, ...), `formula`, `fixed`
    (belongs to
      the parameters of the source), `full`, `quick`, `method=...`, `basis=...`, `varied=name`.

    A row named `*` gives source and options of the rows above it, up to the next such row, that
    leave them out: `* | source | options`. A line that begins with `|` continues the one above.

    Examples
    --------
    >>> table = References('''
    ...     frequency | natural frequency | p.frequency | rad/s | 1e-9 rel
    ...     damping   | damping ratio     | 0           |       | 1e-12 | no damper
    ...     drift     | growth per period | <= 1e-6     |       |       | Smith 2001 | published
    ...     *         | linear oscillator
    ... ''')
    >>> table["frequency"].source, table["drift"].relation
    ('linear oscillator', 'le')

    The same with objects, which take functions of the parameters:

    >>> table = References(
    ...     frequency=Reference("frequency", lambda p: (p.stiffness / p.mass) ** 0.5, "rad/s"),
    ...     damping=Reference("damping ratio", 0.0),
    ...     source="linear oscillator",
    ... )
    >>> list(table), table["damping"].source
    (['frequency', 'damping'], 'linear oscillator')
    """

    def __init__(
        self,
        rows: str | Mapping[str, Reference] | None = None,
        /,
        *,
        source: str = "",
        kind: str = "",
        formula: bool | None = None,
        relative: float | None = None,
        relation: str = "eq",
        varied: tuple[str, ...] = (),
        deviations: Mapping[str, tuple[str, str]] | None = None,
        **named: Reference,
    ) -> None:
        self._rows: dict[str, Reference] = {}
        self._whole: References | None = None
        table = _read(rows) if isinstance(rows, str) else dict(rows or {})
        for name in named:
            if name in table:
                raise InputError(f"reference '{name}' stands twice: expected one row per name")
        for name in deviations or {}:
            if name not in table and name not in named:
                raise unknown("reference", name, [*table, *named])
        for name, row in {**table, **named}.items():
            filled = replace(
                row,
                source=row.source or source,
                kind=row.kind or kind,
                formula=formula if row.formula is None else row.formula,
                relative=relative if row.relative is None and not row.tolerance else row.relative,
                relation=relation if row.relation == "eq" else row.relation,
                varied=row.varied or varied,
                known_deviation=(deviations or {}).get(name, row.known_deviation),
            )
            if not filled.source:
                raise InputError(f"reference '{name}' has no source: give Reference(source=...)")
            self._rows[name] = filled

    __eq__ = object.__eq__  # of two tables with the same rows each has to be compared
    __hash__ = object.__hash__

    def __getitem__(self, name: str) -> Reference:
        if name not in self._rows:
            raise unknown("reference", name, self._rows)
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def whole(self) -> References:
        """The table itself, or that of which `only` took some rows."""
        return self if self._whole is None else self._whole

    def only(self, *names: str) -> References:
        """Return the table of some rows, for a study in several parts."""
        part = References({name: self[name] for name in names})
        part._whole = self.whole
        return part


_RELATIONS: Final = {"<=": "le", ">=": "ge", "in": "in", "is": "is"}
_OF_PARAMETERS: Final = re.compile(r"\bp\.[a-z]")
_COLUMNS: Final = "name | quantity | value | unit | tolerance | source | options"


def _read(text: str) -> dict[str, Reference]:
    """Rows of a table written as text."""
    rows: dict[str, Reference] = {}
    above: dict[str, list[str]] = {}
    for cells in [*_lines(text), ["*"]]:
        name = cells[0]
        if name == "*":
            if len(cells) > 3:
                raise _invalid("*", " | ".join(cells), "* | source | options")
            source, options = (cells[1:] + [""] * 2)[:2]
            common = _options(Reference("", source=source), "*", options)
            rows |= {key: _row(common, key, row) for key, row in above.items()}
            above = {}
        elif not name.isidentifier() or not 2 <= len(cells) <= 7:
            raise _invalid(name, " | ".join(cells), _COLUMNS)
        elif name in rows or name in above:
            raise InputError(f"reference '{name}' stands twice: expected one row per name")
        else:
            above[name] = cells
    return rows


def _lines(text: str) -> list[list[str]]:
    """Cells of the rows; a line that begins with the bar continues the one above."""
    lines: list[list[str]] = []
    for line in text.strip().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if not cells[0] and lines:
            lines[-1] += cells[1:]
        else:
            lines.append(cells)
    return lines


def _row(common: Reference, name: str, cells: list[str]) -> Reference:
    """One row: its own cells, and what is common to its part of the table."""
    quantity, value, unit, tolerance, source, options = (cells[1:] + [""] * 5)[:6]
    row = _value(replace(common, quantity=quantity, unit=unit), name, value)
    row = replace(row, source=source or common.source, **_tolerance(name, tolerance))
    return _options(row, name, options)


def _value(row: Reference, name: str, text: str) -> Reference:
    """Row with the value of its third column."""
    if not text:
        return row
    first, _, rest = text.partition(" ")
    relation = _RELATIONS.get(first, "eq")
    value = rest.strip() if relation != "eq" else text
    if not value:
        return replace(row, relation=relation)
    if _OF_PARAMETERS.search(value):
        return replace(row, relation=relation, value=_formula(name, value))
    if relation == "is":
        return replace(
            row, relation=relation, value={"True": True, "False": False}.get(value, value)
        )
    if relation == "in":
        ends = tuple(_number(name, end) for end in value.split())
        if len(ends) != 2:
            raise _invalid(name, text, "'in' and the two ends of the interval")
        return replace(row, relation=relation, value=ends)
    return replace(row, relation=relation, value=_number(name, value))


def _tolerance(name: str, text: str) -> dict[str, Any]:
    """Tolerance, or ratio of the value, of the fifth column."""
    if not text:
        return {}
    if _OF_PARAMETERS.search(text):
        return {"tolerance": _formula(name, text)}
    if text.endswith(" rel"):
        return {"relative": _number(name, text.removesuffix(" rel"))}
    return {"tolerance": _number(name, text)}


def _options(row: Reference, name: str, text: str) -> Reference:
    """Row with the options of its last column."""
    for option in filter(None, (part.strip() for part in text.split(";"))):
        key, equals, value = option.partition("=")
        if equals and key in ("method", "basis"):
            row = replace(row, **{key: value})  # type: ignore[arg-type]
        elif equals and key == "varied":
            row = replace(row, varied=tuple(part.strip() for part in value.split(",")))
        elif option in ("formula", "fixed"):
            row = replace(row, formula=option == "formula")
        elif option in ("full", "quick"):
            row = replace(row, **{option: True})  # type: ignore[arg-type]
        elif option in (*KINDS, *FORMER_KINDS):
            row = replace(row, kind=FORMER_KINDS.get(option, option))
        else:
            known = [*KINDS, "formula", "fixed", "full", "quick", "method=", "basis=", "varied="]
            expected = f"one of {', '.join(known)}"
            raise _invalid(name, option, expected)
    return row


def _number(name: str, text: str) -> float:
    try:
        if text.lstrip("-").isdigit():
            return int(text)
        if "pi" in text:
            return float(eval(text, {"pi": math.pi}))
        return float(Fraction(text) if "/" in text else text)
    except (ValueError, ZeroDivisionError, SyntaxError, NameError):
        raise _invalid(name, text, "a number or a formula of the parameters p") from None


def _formula(name: str, text: str) -> Callable[[Any], Any]:
    """Formula of the parameters p, such as `0.5 * p.mass * p.speed**2`."""
    try:
        code = compile(text, f"row '{name}' of References", "eval")
    except SyntaxError:
        raise _invalid(name, text, "a formula of the parameters p") from None
    return lambda p: eval(code, {"p": p, "pi": math.pi, "sqrt": math.sqrt})


def _invalid(name: str, found: str, expected: str) -> InputError:
    return InputError(f"invalid row '{name}' of References, '{found}': expected {expected}")


def plain(name: str, value: Any) -> Any:
    """Python's number of a numpy scalar or an array without axes; longer arrays are refused."""
    if isinstance(value, tuple):
        return tuple(plain(name, part) for part in value)
    if isinstance(value, np.ndarray) and value.ndim:
        raise InputError(
            f"value of '{name}' has the shape {value.shape}: expected one number per row"
        )
    return value.item() if isinstance(value, (np.generic, np.ndarray)) else value
