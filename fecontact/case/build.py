"""Systems of a case over its parameters, in any process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from fecontact.case.case import Case
from fecontact.case.registry import load_case
from fecontact.errors import InputError, unknown
from fecontact.system import System

__all__ = ["CaseBuild"]


@dataclass(frozen=True)
class CaseBuild:
    """Makes the system of a case for values of some parameters: `build(value, ...)`.

    It can be sent to other processes, which load the case by its name.

    Parameters
    ----------
    name
        Name or path of the case.
    settings
        Overrides `key=value` of other parameters.
    keys
        Parameters that the values are for, in this order.
    """

    name: str
    settings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        parameters = self.parameters
        if len(set(self.keys)) < len(self.keys):
            raise InputError(f"{self.keys[0]} is given twice: the axes need two parameters")
        for key in self.keys:
            if not hasattr(parameters, key):
                raise unknown("parameter", key, parameters.to_dict())
            if not isinstance(getattr(parameters, key), float):
                raise InputError(f"{key} cannot be varied: it is not a real number")
        if _case(self.name).system is None:
            raise InputError(
                f"case '{self.name}' declares no system: Case(..., system=...) makes one from the "
                "parameters"
            )

    @property
    def parameters(self) -> Any:
        """Parameters of the case with the overrides."""
        return _case(self.name).parameters.override(self.settings)

    def __call__(self, *values: float) -> System:
        """Make the system."""
        system = _case(self.name).system
        assert system is not None
        return system(replace(self.parameters, **dict(zip(self.keys, values, strict=True))))


def _case(name: str) -> Case[Any]:
    """Case of a name; a script that was changed since is loaded again."""
    try:
        about = Path(name).stat()
        stamp = about.st_mtime_ns, about.st_size
    except OSError:  # a shipped case
        stamp = 0, 0
    return _loaded(name, stamp)


@lru_cache(maxsize=8)
def _loaded(name: str, stamp: tuple[int, int]) -> Case[Any]:
    return load_case(name)[1]
