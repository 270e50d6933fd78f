"""Results of a run: checks against references, and the summary file."""

from fecontact.results.summary import Check, compare, write_summary

__all__ = ["Check", "compare", "write_summary"]
