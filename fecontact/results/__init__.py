"""Results: the result file, histories and fields, energy audit, checks against references."""

from fecontact.results.fields import ContactFields
from fecontact.results.geometry import BodyGeometry
from fecontact.results.hdf5.file import StoredRun
from fecontact.results.hdf5.writer import Writer
from fecontact.results.result import Result
from fecontact.results.summary import Check, compare, write_summary

__all__ = [
    "BodyGeometry",
    "Check",
    "ContactFields",
    "Result",
    "StoredRun",
    "Writer",
    "compare",
    "write_summary",
]
