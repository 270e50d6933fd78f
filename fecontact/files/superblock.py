"""Reading a result file whose writer was killed.

HDF5 marks a file that is open for writing in its first bytes (superblock, version 3: signature 8,
version 1, sizes 2, marks 1, addresses 32, checksum 4 bytes), and a killed writer leaves the mark.
Such a file is read here through a view in which the mark is not set; the file is not changed. To
read it as if its writer lived is no choice: HDF5 would wait for the writer to mend any damage.
"""

from __future__ import annotations

import io
from pathlib import Path

__all__ = ["UnmarkedFile", "is_marked", "lookup3"]

SIZE, MARKS, CHECKSUM = 48, 11, 44
SIGNATURE = b"\x89HDF\r\n\x1a\n\x03"
WORD = 0xFFFFFFFF
MIX = ("acb4", "bac6", "cba8", "acb16", "bac19", "cba4")
FINAL = ("cb14", "ac11", "ba25", "cb16", "ac4", "ba14", "cb24")


class UnmarkedFile(io.FileIO):
    """File of bytes in which the mark of an open writer is not set."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "r")
        start = bytearray(super().read(SIZE))
        start[MARKS] = 0
        start[CHECKSUM:] = lookup3(bytes(start[:CHECKSUM])).to_bytes(4, "little")
        self._start = bytes(start)

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Read at the present place."""
        position = self.tell()
        count = super().readinto(buffer) or 0
        own = self._start[position : position + count]
        memoryview(buffer).cast("B")[: len(own)] = own
        return count


def is_marked(path: Path) -> bool:
    """Whether a file is one that a writer opened and has not closed."""
    with open(path, "rb") as file:
        start = file.read(SIZE)
    return len(start) == SIZE and start.startswith(SIGNATURE) and start[MARKS] != 0


def lookup3(data: bytes) -> int:
    """Checksum of HDF5's metadata: hash of B. Jenkins (2006), 32 bits.

    Examples
    --------
    >>> f"{lookup3(b'Four score and seven years ago'):x}"
    '17770551'
    """
    state = dict.fromkeys("abc", (0xDEADBEEF + len(data)) & WORD)
    blocks = [data[i : i + 12] for i in range(0, len(data), 12)]
    for index, block in enumerate(blocks):
        for i, name in enumerate("abc"):
            word = int.from_bytes(block[4 * i : 4 * i + 4], "little")
            state[name] = (state[name] + word) & WORD
        if index < len(blocks) - 1:
            _mix(state)
    for step in FINAL if data else ():
        x, y, turn = step[0], step[1], int(step[2:])
        state[x] = ((state[x] ^ state[y]) - _turned(state[y], turn)) & WORD
    return state["c"]


def _mix(state: dict[str, int]) -> None:
    for step in MIX:
        x, y, z, turn = step[0], step[1], step[2], int(step[3:])
        state[x] = ((state[x] - state[y]) & WORD) ^ _turned(state[y], turn)
        state[y] = (state[y] + state[z]) & WORD


def _turned(word: int, turn: int) -> int:
    return ((word << turn) | (word >> (32 - turn))) & WORD
