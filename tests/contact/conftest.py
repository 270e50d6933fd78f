"""Scenes and helpers that several tests of this folder share are imported by their file's name."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
