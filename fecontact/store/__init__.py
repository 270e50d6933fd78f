"""What a run leaves behind while it goes on: progress, and the result file."""

from fecontact.store.file import StoredRun
from fecontact.store.geometry import BodyGeometry
from fecontact.store.writer import Writer

__all__ = ["BodyGeometry", "StoredRun", "Writer"]
