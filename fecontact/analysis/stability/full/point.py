"""Operating points with all unknowns of the finite-element models, and certificates by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.full.certificate import Certificate, Reduced, certify_modes
from fecontact.analysis.stability.full.linear import SparseModel, sparse_model
from fecontact.analysis.stability.full.model import FullSystem
from fecontact.analysis.stability.full.restriction import check_restriction
from fecontact.analysis.stability.full.steady import FullSteady, full_steady
from fecontact.analysis.stability.linearise import LinearModel
from fecontact.analysis.steady.equilibrium import SteadyState
from fecontact.body.base import as_body
from fecontact.body.full.unreduced import Unreduced
from fecontact.errors import InputError, check_kind, shown, unknown
from fecontact.fem.model import FEModel
from fecontact.solvers.region import QuadraticModes
from fecontact.system import System
from fecontact.typing import supports

__all__ = ["FullPoint", "Models", "certificate_of", "full_point", "full_system"]

Models = Mapping[str, FEModel]
"""Body name -> the finite-element model it was reduced from."""


class Point(Protocol):
    """What is asked of an operating point."""

    @property
    def model(self) -> LinearModel:
        """Linear model."""
        ...

    @property
    def system(self) -> System:
        """System."""
        ...

    @property
    def steady(self) -> SteadyState:
        """Steady state."""
        ...

    @property
    def modes(self) -> ComplexModes:
        """Modes."""
        ...


@dataclass(frozen=True, eq=False)
class FullPoint:
    """Steady sliding state and sparse linear model with all unknowns of some bodies.

    Attributes
    ----------
    system
        The system with these bodies.
    steady
        Its own steady state.
    model
        Sparse matrices.
    kept
        Elastic bodies that stay reduced.
    """

    system: FullSystem
    steady: FullSteady
    model: SparseModel
    kept: tuple[str, ...]

    def modes(
        self, growth: tuple[float, float], frequency: tuple[float, float], **options: Any
    ) -> QuadraticModes:
        """All modes in a band of growth (1/s) and frequency (Hz); see `quadratic_modes`."""
        return self.model.modes(growth, frequency, **options)


def full_point(point: Point, models: Models | None = None) -> FullPoint:
    """Steady state and linear model of an operating point with full finite-element bodies.

    Parameters
    ----------
    point
        As `operating_point` gives it, with the friction of sliding points.
    models
        Body name -> finite-element model of the bodies that get all their unknowns; others stay as
        they are. By default all elastic bodies, which then must have been reduced in this process.

    Raises
    ------
    InputError
        If a body has no such form: its frame must be fixed, or a TurningFrame or MovingFrame of
        constant speed, its contact points those of a surface of its model on a rigid master, and
        its loads and joints must act at points.
    """
    if not hasattr(point, "steady"):
        check_kind("full_point: point", point, Point, "as operating_point(system) gives it")
    if point.model.friction is not None:
        raise InputError(
            'invalid friction = "state" in all unknowns: expected friction="coulomb", that of '
            "sliding points"
        )
    whole = full_system(point.system, models)
    check_restriction(whole, point.steady.state)
    steady = full_steady(whole, point.steady.state)
    kept = tuple(b.name for b in point.system.bodies if b.name not in whole.full and _elastic(b))
    return FullPoint(whole, steady, sparse_model(steady), kept)


def certificate_of(point: Point, models: Models | bool) -> Certificate:
    """Error estimates of the modes in the band; see `Certificate`."""
    if isinstance(models, bool):
        given = None
    elif isinstance(models, Mapping):
        given = models
    else:
        raise InputError(
            f"invalid certify = {shown(models)}: expected True, or finite-element models by body, "
            "such as {'plate': solid}"
        )
    whole, modes = full_point(point, given), point.modes
    reduced = Reduced(modes.eigenvalues, modes.vectors, point.model.dofs(modes.left))
    return certify_modes(whole.model, reduced, np.flatnonzero(modes.in_band), whole.kept)


def full_system(system: System, models: Models | None) -> FullSystem:
    """A system with bodies in all their unknowns; see `full_point`."""
    bodies = {body.name: body for body in system.bodies}
    found: dict[str, Unreduced] = {}
    for name in bodies if models is None else models:
        if name not in bodies:
            raise unknown("body", name, bodies)
        body = bodies[name]
        own = as_body(body).unreduced(None if models is None else models[name])
        if own is not None:
            found[name] = own
        elif models is not None or _elastic(body):
            raise _no_full_form(body, models)
    if not found:
        raise InputError("no body has finite elements: expected a system with an ElasticBody")
    return FullSystem(system, found)


def _no_full_form(body: Any, models: Models | None) -> InputError:
    if models is None and as_body(body).elastic_shapes is not None:
        return InputError(
            f"the finite-element model of '{body.name}' is not at hand, as of bodies read from a "
            f"file: expected it by name, {{'{body.name}': model}}"
        )
    return InputError(
        f"'{body.name}' has no form with all unknowns: expected an ElasticBody; name the bodies "
        "that have one, the others then stay reduced"
    )


def _elastic(body: Any) -> bool:
    """Whether a body deforms."""
    return not as_body(body).rigid and supports(body, "strain_energy")
