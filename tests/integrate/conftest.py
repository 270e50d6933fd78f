"""Systems that several tests of this folder move are imported by the name of their file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
