"""Cases: one script per physical test, run from the command line or as a script."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.case.case import Case, Run
    from fecontact.case.parameters import Parameters, between, derived, quantity
    from fecontact.case.references import GIVEN, Reference, References
    from fecontact.case.registry import load_module, mesh_folder
    from fecontact.case.runner import main

__all__ = [
    "GIVEN",
    "Case",
    "Parameters",
    "Reference",
    "References",
    "Run",
    "between",
    "derived",
    "load_module",
    "main",
    "mesh_folder",
    "quantity",
]

_NAMES = """
case: Case Run
parameters: Parameters between derived quantity
references: GIVEN Reference References
registry: load_module mesh_folder
runner: main
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
