"""The case: what a script declares, and what it gets to work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from fecontact.case.parameters import Parameters
from fecontact.results.audit import unaccounted
from fecontact.results.hdf5.writer import discard
from fecontact.results.result import Result
from fecontact.results.summary import Check, Reference, Value, compare
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
        self.checks.append(compare(quantity, computed, reference, applicable=applicable, **details))

    def audit(self, motion: Result, most: float = 1e-3, **details: Any) -> None:
        """Row of the energy audit: what a motion leaves unaccounted of the exchanged energy."""
        self.check("energy not accounted for, of the exchanged", unaccounted(motion.energies), most,
                   relation="le", kind="closed_form", source="energy audit", formula=True,
                   **details)  # fmt: skip

    def path(self, name: str) -> Path:
        """Path for an output file, which is listed in the summary."""
        self.record(name)
        return self.out / name

    def store(self, name: str) -> Path:
        """Path for the result file of a simulation; one that an earlier run left is removed."""
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


@dataclass(frozen=True)
class Case(Generic[P]):
    """A physical test.

    Parameters
    ----------
    title
        One line.
    proves
        Tests of the sources that it covers, such as "Jehle T21".
    parameters
        Parameter object with the values of the source.
    run
        Does the work; called with a `Run`.
    quick_s
        Rough seconds of the quick form.
    system
        Makes the system from the parameters, for `fecontact stability`.
    """

    title: str
    proves: tuple[str, ...]
    parameters: P
    run: Callable[[Run[P]], None]
    quick_s: float
    system: Callable[[P], System] | None = None
