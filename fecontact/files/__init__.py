"""Reading files that somebody else wrote: what they may be, and how much they may take.

A file is data, never an order: it must not end the process, hang it, take memory out of
proportion to its size, or make the reader open other files. Every reader of the package begins
here.
"""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.files.hdf5 import check_hdf5
    from fecontact.files.npz import read_npz
    from fecontact.files.plain import (
        UNLIMITED,
        check_expansion,
        first_line,
        plain_file,
        reading,
    )

__all__ = [
    "UNLIMITED",
    "check_expansion",
    "check_hdf5",
    "first_line",
    "plain_file",
    "read_npz",
    "reading",
]

_NAMES = """
hdf5: check_hdf5
npz: read_npz
plain: UNLIMITED check_expansion first_line plain_file reading
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
