"""Cases: one script per physical test, run from the command line or as a script."""

from fecontact.case.case import Case, Run
from fecontact.case.parameters import Parameters, quantity
from fecontact.case.runner import main

__all__ = ["Case", "Parameters", "Run", "main", "quantity"]
