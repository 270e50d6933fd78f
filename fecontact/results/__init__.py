"""Results: histories and fields read from files, checks against references, the summary file."""

from fecontact.results.fields import ContactFields
from fecontact.results.history import Result
from fecontact.results.summary import Check, compare, write_summary

__all__ = ["Check", "ContactFields", "Result", "compare", "write_summary"]
