"""Cases: one script per physical test, run from the command line or as a script."""

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
