"""Keywords of Abaqus and CalculiX input files with their options, data lines and line numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fecontact.errors import InputError
from fecontact.files import plain_file

__all__ = ["Card", "Deck", "Options"]

MAX_DEEP = 16
"""Levels of files that include each other."""

Options = dict[str, str]


@dataclass
class Card:
    """A keyword with its options (names in capitals) and its data lines.

    `number` is the line of the keyword in `file`, `numbers` are those of the data lines.
    """

    keyword: str
    options: Options
    file: Path
    number: int
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def place(self, row: int | None = None) -> str:
        """Line of the keyword or of a data line, for messages."""
        number = self.number if row is None or row >= len(self.numbers) else self.numbers[row]
        return f"line {number} of '{self.file.name}'"

    def words(self, row: int) -> list[str]:
        """Words of a data line, without empty ones at its end."""
        words = [word.strip() for word in self.lines[row].split(",")]
        while words and not words[-1]:
            words.pop()
        return words


@dataclass
class Deck:
    """Lines of a file and of those that it includes, each read once.

    `*INCLUDE` leads to plain files in the folder of the deck or below it only, links resolved.
    """

    file: Path
    read: set[Path] = field(default_factory=set)

    def cards(self, file: Path | None = None, depth: int = 0) -> Iterator[Card]:
        """All keywords, one after the other; first one without a name, for lines before all."""
        file = self.file if file is None else file
        self.read.add(file.resolve())
        card = Card("", {}, file, 0)
        for number, line in enumerate(_text(file).splitlines(), start=1):
            if line.startswith("**") or not line.strip():
                continue
            if not line.startswith("*"):
                card.lines.append(line)
                card.numbers.append(number)
                continue
            yield card
            words = [word.partition("=") for word in line[1:].split(",")]
            options = {key.strip().upper(): value.strip() for key, _, value in words[1:]}
            card = Card(words[0][0].strip().upper(), options, file, number)
            if card.keyword == "INCLUDE":
                included = self._included(file, options.get("INPUT", ""), depth)
                yield from self.cards(included, depth + 1)
        yield card

    def _included(self, file: Path, name: str, depth: int) -> Path:
        """File behind an `*INCLUDE`."""
        if not name:
            raise InputError("*INCLUDE has no INPUT=file")
        path = (file.parent / name).resolve()
        folder = self.file.resolve().parent
        if folder not in path.parents:
            raise InputError(
                f"*INCLUDE of '{name}' leads out of the folder of the file; copy it there"
            )
        if path in self.read or depth >= MAX_DEEP:
            raise InputError(f"*INCLUDE of '{name}': each file can be included once, not in itself")
        return plain_file(path, "included file")


def _text(file: Path) -> str:
    """Text of a file; old programs write Latin-1."""
    content = file.read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
