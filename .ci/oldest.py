"""Print the oldest versions that pyproject.toml allows, as a constraints file of pip."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
names = ("test", "mesh", "fast", "video")
for requirement in [*project["dependencies"], *(each for name in names for each in extras[name])]:
    found = re.fullmatch(r"([\w-]+)>=([\w.]+)", requirement)
    if found is None:
        raise SystemExit(f"pyproject.toml: '{requirement}' must have the form name>=1.0")
    print(f"{found[1]}=={found[2]}")
