"""The files of this folder stand for those of a user: they are imported by their own names."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
