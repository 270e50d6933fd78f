"""References of a case as one table: what is compared with what, how closely, and from where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from fecontact.errors import InputError, unknown
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
        Where the value comes from, in words for a stranger: "Jehle 2022, figure 7.6".
    kind
        closed_form (default), published, digest, cross_method, trend.
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
        True for a row of the full form, which the quick form may leave out.
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

    def follows(self) -> bool:
        """Whether the value stays right when a physical parameter is changed."""
        if self.formula is not None:
            return self.formula
        return callable(self.value) or self.kind not in ("published", "digest")


class References(Mapping[str, Reference]):
    """Table of references by short names, in the order of the printed table.

    Parameters
    ----------
    rows
        References by name, where the names are computed; most are given as keywords.
    source, kind, formula, relative, relation, varied
        Of all rows that do not say otherwise.

    Examples
    --------
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
        rows: Mapping[str, Reference] | None = None,
        /,
        *,
        source: str = "",
        kind: str = "",
        formula: bool | None = None,
        relative: float | None = None,
        relation: str = "eq",
        varied: tuple[str, ...] = (),
        **named: Reference,
    ) -> None:
        self._rows: dict[str, Reference] = {}
        for name, row in {**(rows or {}), **named}.items():
            filled = replace(
                row,
                source=row.source or source,
                kind=row.kind or kind,
                formula=formula if row.formula is None else row.formula,
                relative=relative if row.relative is None and not row.tolerance else row.relative,
                relation=relation if row.relation == "eq" else row.relation,
                varied=row.varied or varied,
            )
            if not filled.source:
                raise InputError(f"reference '{name}' has no source: give Reference(source=...)")
            self._rows[name] = filled

    def __getitem__(self, name: str) -> Reference:
        if name not in self._rows:
            raise unknown("reference", name, self._rows)
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def only(self, *names: str) -> References:
        """Return the table of some rows, for a study in several parts."""
        return References({name: self[name] for name in names})


def plain(name: str, value: Any) -> Any:
    """Python's number of a numpy scalar or an array without axes; longer arrays are refused."""
    if isinstance(value, tuple):
        return tuple(plain(name, part) for part in value)
    if isinstance(value, np.ndarray) and value.ndim:
        raise InputError(
            f"value of '{name}' has the shape {value.shape}: expected one number per row"
        )
    return value.item() if isinstance(value, (np.generic, np.ndarray)) else value
