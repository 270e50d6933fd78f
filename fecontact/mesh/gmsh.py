"""Names of the physical groups of a Gmsh file.

meshio keeps one group per name; Gmsh lets several groups share a name.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from fecontact.typing import Integers

__all__ = ["physical_names"]

SECTION = re.compile(rb"\$PhysicalNames(.*?)\$EndPhysicalNames", re.DOTALL)
GROUP = re.compile(r'^\s*(\d+)\s+(\d+)\s+"(.*)"\s*$', re.MULTILINE)


def physical_names(file: Path) -> dict[str, Integers]:
    """Name -> number and dimension of all its groups, shape (groups, 2).

    The section is text in binary files too.
    """
    section = SECTION.search(file.read_bytes())
    groups: dict[str, list[tuple[int, int]]] = {}
    for dim, tag, name in GROUP.findall(section[1].decode() if section else ""):
        groups.setdefault(name, []).append((int(tag), int(dim)))
    return {name: np.array(pairs) for name, pairs in groups.items()}
