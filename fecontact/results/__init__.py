"""Results: histories, fields and energies of a run, in memory or in a file; checks."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.results.fields import ContactFields
    from fecontact.results.geometry import BodyGeometry
    from fecontact.results.hdf5.file import StoredRun
    from fecontact.results.hdf5.writer import Writer
    from fecontact.results.point import Crossing, Point
    from fecontact.results.result import Result
    from fecontact.results.statistics import Statistics
    from fecontact.results.summary import Check, compare, write_summary

__all__ = [
    "BodyGeometry",
    "Check",
    "ContactFields",
    "Crossing",
    "Point",
    "Result",
    "Statistics",
    "StoredRun",
    "Writer",
    "compare",
    "write_summary",
]

_NAMES = """
fields: ContactFields
geometry: BodyGeometry
hdf5.file: StoredRun
hdf5.writer: Writer
point: Crossing Point
result: Result
statistics: Statistics
summary: Check compare write_summary
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
