"""The case: what a script declares, and what it gets to work with.

Nothing of the mechanics is loaded here: errors in a parameter are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from fecontact.case.parameters import Parameters
from fecontact.case.references import GIVEN, References, plain
from fecontact.errors import InputError, renamed_keywords, unknown, warn_caller
from fecontact.results.summary import Check, Reference, Value, compare
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.analysis import MapAxis, Region
    from fecontact.results.result import Result
    from fecontact.system import System
    from fecontact.view.modes import ModeFiles

__all__ = ["Case", "Run"]

P = TypeVar("P", bound=Parameters)


@dataclass
class Run(Generic[P]):
    """One run of a case: parameters, output folder, and the checks and files so far."""

    parameters: P
    out: Path
    quick: bool = False
    checks: list[Check] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    compared: dict[References, set[str]] = field(default_factory=dict)

    def check(
        self,
        quantity: str,
        computed: Value,
        reference: Reference,
        *,
        formula: bool = False,
        varied: Sequence[str] = (),
        **details: Any,
    ) -> None:
        """Compare and record; see `fecontact.results.compare` for the details.

        A reference belongs to the parameters of the source: if a physical parameter was changed,
        the row is not applicable.

        Parameters
        ----------
        quantity, computed, reference
            As in `compare`.
        formula
            True if the reference is a formula of the parameters, or independent of them.
        varied
            Parameters that the row itself sets; changing them does not touch the reference.
        """
        applicable = formula or not self.parameters.changed().difference(varied)
        computed, reference = plain(quantity, computed), plain(quantity, reference)
        self.checks.append(compare(quantity, computed, reference, applicable=applicable, **details))

    def compare(
        self,
        references: References,
        computed: Mapping[str, Any],
        *,
        tolerances: Mapping[str, float] | None = None,
        label: str = "",
        part: bool = False,
        **details: Any,
    ) -> None:
        """Compare what was computed with a table of references, row by row.

        Parameters
        ----------
        references
            Table of the rows, by name.
        computed
            Value of every row by the same names: a number, also of numpy, a truth value, or a
            word. Where the table has no value, the pair `(computed, reference)`. A name that is
            missing, or that the table does not have, is refused.
        tolerances
            Tolerances that only the run knows, by name.
        label
            Words behind every quantity, or in place of its `{}`, where a table is used for
            several variants.
        part
            True where a study compares part of the table. The other rows follow in further calls:
            a row that no call of the case has compared ends it with an error (`missing`).
        **details
            `method`, `basis`, `source` or `kind` of all rows, where several variants are run.
        """
        given = dict(tolerances or {})
        for name in [*computed, *given]:
            if name not in references:
                raise unknown("reference", name, references)
        left_out = [] if part else [n for n in self._needed(references) if n not in computed]
        if left_out:
            raise InputError(f"no computed value for {', '.join(left_out)}: expected one per row")
        self.compared.setdefault(references.whole, set()).update(computed)
        p = self.parameters
        for name, row in references.items():
            if name not in computed:
                continue
            value, reference = computed[name], row.value
            if reference is GIVEN:
                if not isinstance(value, tuple) or len(value) != 2:
                    raise InputError(
                        f"'{name}' has no reference: expected the pair (computed, reference)"
                    )
                value, reference = value
            elif callable(reference):
                reference = reference(p)
            tolerance = given.get(name, row.tolerance)
            if callable(tolerance):
                tolerance = tolerance(p)
            if row.relative is not None and name not in given:
                tolerance = row.relative * abs(reference)  # type: ignore[arg-type]
            about: dict[str, Any] = {
                "unit": row.unit,
                "tolerance": tolerance,
                "source": row.source,
                "kind": row.kind or "closed_form",
                "relation": row.relation,
                "known_deviation": row.known_deviation,
                "method": row.method,
                "basis": row.basis,
                "formula": row.follows(),
                "varied": row.varied,
            }
            words = f"{row.quantity}, {label}" if label else row.quantity
            if "{}" in row.quantity:
                words = row.quantity.replace("{}", label)
            self.check(words, value, reference, **(about | details))  # type: ignore[arg-type]

    def row(
        self,
        references: References,
        name: str,
        computed: Any,
        reference: Any = GIVEN,
        tolerance: float | None = None,
        **about: Any,
    ) -> None:
        """Compare one row of a table: `compare` with one value and the rest of the table to follow.

        Parameters
        ----------
        references, name
            Table and row.
        computed
            Value of the row.
        reference, tolerance
            Where the table leaves them to the run.
        **about
            `label`, `method` and the like, as in `compare`.
        """
        pair = computed if reference is GIVEN else (computed, reference)
        given = {} if tolerance is None else {name: tolerance}
        self.compare(references, {name: pair}, part=True, tolerances=given, **about)

    def _needed(self, references: References) -> list[str]:
        """Rows that this run has to compare.

        Each form may leave out rows of the other one; a run with changed parameters, those that
        belong to the parameters of the source.
        """
        changed = self.parameters.changed()
        return [
            name
            for name, row in references.items()
            if not (row.full if self.quick else row.quick)
            and (row.follows() or not changed - {*row.varied})
        ]

    def missing(self, *tables: References) -> list[str]:
        """Rows that no call of `compare` has met, of these tables and of all it was called with."""
        seen = {table.whole: set[str]() for table in tables} | self.compared
        return [n for table, met in seen.items() for n in self._needed(table) if n not in met]

    def leave_out(self, references: References, reason: str) -> None:
        """Leave out a table that changed parameters make meaningless; the reason is printed.

        With the parameters of the case every row has to be compared.
        """
        if self.parameters == type(self.parameters)():
            raise InputError(f"rows left out: expected {', '.join(references)} to be compared")
        self.compared.setdefault(references.whole, set()).update(references)
        self.note(reason)

    @renamed_keywords(most="limit")
    def audit(self, motion: Result, limit: float = 1e-3, **details: Any) -> None:
        """Row of the energy audit: what a motion leaves unaccounted of the exchanged energy."""
        from fecontact.results.audit import unaccounted

        self.check(
            "energy not accounted for, of the exchanged",
            unaccounted(motion.energies),
            limit,
            relation="le",
            kind="closed_form",
            source="energy audit",
            formula=True,
            **details,
        )

    def path(self, name: str) -> Path:
        """Path for an output file, which is listed in the summary."""
        self.record(name)
        return self.out / name

    def figure(self, name: str, figure: Any) -> Path:
        """Save a matplotlib figure under a name without suffix, close it, and list the file."""
        from fecontact.view.figures import save_figure

        file = save_figure(figure, self.out, name)
        self.record(file.name)
        return file

    def stability_map(
        self,
        name: str,
        build: Callable[[float, float], System],
        x: MapAxis,
        y: MapAxis,
        *,
        seed: tuple[int, int] = (12, 12),
        levels: int = 3,
        quick_seed: tuple[int, int] = (5, 5),
        quick_levels: int = 1,
        curves: Mapping[str, tuple[Floats, Floats]] | None = None,
    ) -> list[Region]:
        """Map the stability over two parameters, save its picture, and return unstable regions.

        Parameters
        ----------
        name
            Of the picture, without suffix.
        build, x, y
            As in `fc.stability_map`.
        seed, levels
            Cells of the seed grid and halvings of cells in the full form.
        quick_seed, quick_levels
            The same in the quick form.
        curves
            Curves in closed form by name, drawn into the map.
        """
        from fecontact.analysis import regions, stability_map  # loaded by cases with a map only
        from fecontact.view.stability import map_plot

        effort = (quick_seed, quick_levels) if self.quick else (seed, levels)
        found = stability_map(build, x, y, seed=effort[0], levels=effort[1])
        unstable = regions(found, build)
        self.figure(name, map_plot(found, unstable, curves=curves))
        return unstable

    def store(self, name: str) -> Path:
        """Path for the result file of a simulation; one that an earlier run left is removed."""
        from fecontact.results.hdf5.writer import discard

        discard(self.out / name)
        return self.path(name)

    def record(self, *names: str) -> None:
        """List files in the summary that were written to the output folder."""
        self.files.extend(name for name in names if name not in self.files)

    def attach(self, saved: ModeFiles) -> None:
        """List the files of modes, and say what was drawn."""
        self.record(*saved.files)
        self.note(saved.message)

    def note(self, text: str) -> None:
        """Sentence printed below the table."""
        self.notes.append(text)


_NEEDED: Any = object()


@dataclass(frozen=True, init=False)
class Case(Generic[P]):
    """A physical test.

    Parameters
    ----------
    title
        One line; of a longer text, such as the `__doc__` of the script, the first line.
    verifies
        Tests of the sources that it covers, such as "Jehle T21".
    parameters
        Parameter object with the values of the source.
    run
        Does the work; called with a `Run`.
    quick_s
        Rough seconds of the quick form.
    system
        Makes the system from the parameters, for `fecontact stability`.
    proves
        Earlier name of `verifies`.
    """

    title: str
    verifies: tuple[str, ...]
    parameters: P
    run: Callable[[Run[P]], None]
    quick_s: float
    system: Callable[[P], System] | None

    def __init__(
        self,
        title: str,
        verifies: tuple[str, ...] = _NEEDED,
        parameters: P = _NEEDED,
        run: Callable[[Run[P]], None] = _NEEDED,
        quick_s: float = _NEEDED,
        system: Callable[[P], System] | None = None,
        *,
        proves: tuple[str, ...] | None = None,
    ) -> None:
        if proves is not None:
            warn_caller("Case(proves=...) is now Case(verifies=...)", DeprecationWarning)
            verifies = proves
        fields = {
            "title": title if title is _NEEDED else title.strip().split("\n")[0].rstrip("."),
            "verifies": verifies,
            "parameters": parameters,
            "run": run,
            "quick_s": quick_s,
            "system": system,
        }
        for name, value in fields.items():
            if value is _NEEDED:
                raise InputError(f"Case(...) has no {name}: expected Case(..., {name}=...)")
            object.__setattr__(self, name, value)

    @property
    def tables(self) -> list[References]:
        """Tables of references at the top level of the script."""
        names = getattr(self.run, "__globals__", {})
        return [value for value in names.values() if isinstance(value, References)]

    @property
    def proves(self) -> tuple[str, ...]:
        """Earlier name of `verifies`."""
        return self.verifies

    def main(self, script: str) -> NoReturn:
        """Run the case of a script started by Python itself; ends it with the exit code."""
        from fecontact.case.runner import main

        raise SystemExit(main(self, script))
