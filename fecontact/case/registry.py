"""Find and load case scripts by name or by path."""

from __future__ import annotations
import __future__

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import fecontact
from fecontact.errors import InputError, unknown, warn_caller

if TYPE_CHECKING:
    from fecontact.case.case import Case

__all__ = [
    "case_folder",
    "case_names",
    "case_script",
    "check_parameters",
    "load_case",
    "load_module",
    "mesh_folder",
    "name_of",
]

FORMER_CASES = {"waltersberger/clatter": "waltersberger/rattle"}


def case_folder() -> Path:
    """Folder of the shipped case scripts: `cases/` of a checkout, or the installed copy."""
    return _shipped("cases")


def mesh_folder() -> Path:
    """Folder of the sample meshes: `meshes/` of a checkout, or the installed copy."""
    return _shipped("meshes")


def case_names() -> list[str]:
    """Names of the shipped cases, such as jehle/elastic_disc."""
    folder = case_folder()
    return sorted(
        path.relative_to(folder).with_suffix("").as_posix()
        for path in folder.glob("*/*.py")
        if not path.name.startswith("_")
    )


def load_case(name: str) -> tuple[str, Case[Any]]:
    """Load a shipped case by name, or any case script by path; return its name and the case."""
    from fecontact.case.case import Case  # names and scripts of cases are known without it

    module = load_module(name)
    case = getattr(module, "CASE", None)
    if not isinstance(case, Case):
        raise InputError(f"case script '{module.__file__}' does not define CASE = Case(...)")
    return name_of(Path(str(module.__file__))), case


def check_parameters(name: str, settings: Sequence[str] | None, varied: Sequence[str]) -> None:
    """Refuse values and names of parameters that a case does not take."""
    parameters = load_case(name)[1].parameters.override(settings or ())
    for key in varied:
        if not hasattr(parameters, key):
            raise unknown("parameter", key, parameters.to_dict())


def load_module(name: str) -> ModuleType:
    """Load the script of a case as a module."""
    path = case_script(name)
    module_name = "fecontact_case_" + name_of(path).replace("/", "_")
    loader = _Script(module_name, str(path))
    spec = importlib.util.spec_from_file_location(module_name, path, loader=loader)
    if (beside := str(path.resolve().parent)) not in sys.path:
        sys.path.insert(0, beside)  # modules beside the script, as Python itself finds them
    if spec is None or spec.loader is None:
        raise InputError(f"case script '{path}' cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"case script '{path}' cannot be loaded: {what}") from error
    return module


class _Script(SourceFileLoader):
    """Loader of scripts: annotations stay as they are written, and load nothing they name."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile as if the script began with `from __future__ import annotations`.

        What Python keeps of the script on disk is without it.
        """
        postponed = __future__.annotations.compiler_flag
        path = self.get_filename(fullname)
        code: CodeType = compile(self.get_data(path), path, "exec", postponed, True)
        return code


def case_script(name: str) -> Path:
    """Script of a shipped case, or a script by its path."""
    if name.endswith(".py"):
        if not Path(name).is_file():
            raise InputError(f"case script '{name}' does not exist")
        return Path(name)
    if name in FORMER_CASES:
        warn_caller(f"case '{name}' is now '{FORMER_CASES[name]}'", DeprecationWarning)
        name = FORMER_CASES[name]
    if name not in case_names():
        raise InputError(f"{unknown('case', name, case_names())}; all: fecontact cases")
    return case_folder() / f"{name}.py"


def name_of(path: Path) -> str:
    """Name of a case script: relative to the shipped cases, else the name of the file."""
    try:
        return path.resolve().relative_to(case_folder()).with_suffix("").as_posix()
    except ValueError:
        return path.stem


def _shipped(folder: str) -> Path:
    package = Path(fecontact.__file__).resolve().parent
    checkout = package.parent / folder
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package.parent / f"fecontact_{folder}"
