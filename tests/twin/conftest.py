"""The plain forms of this folder, and the laws from outside, are imported by their own names."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "extending")]
