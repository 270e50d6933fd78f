"""The system: one equation of motion for all analyses.

    M(q) v' = f(t, q, v) + A^T lam,      q' = T(q) v
    0 = c(t, q)      or      0 = A v - b(t)

The sums over all items are in `Assembly`; here are the answers that follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from fecontact.errors import renamed
from fecontact.system.assembly import Assembly
from fecontact.system.constraints.projection import POSITION_TOLERANCE, Projection, Projector
from fecontact.system.constraints.reaction import Reaction, reaction
from fecontact.system.constraints.redundancy import Redundancy, redundancy
from fecontact.system.describe import describe, report
from fecontact.system.dynamics import accelerations, loaded_force
from fecontact.system.energy import Energies, energies, momentum
from fecontact.system.initial import check_state, named_state
from fecontact.system.program import Program
from fecontact.system.rate import SystemRate
from fecontact.system.state import State
from fecontact.system.step import SystemStart
from fecontact.system.variants.parameters import Variants
from fecontact.typing import Floats

__all__ = ["System"]


@renamed(
    memory="history_layout",
    remembering="stateful_contacts",
    flow="rate_form",
    place="dof_indices",
    numbers="item_indices",
)
class System(Assembly):
    """Bodies, and the joints, loads and contacts that couple them.

    Parameters
    ----------
    bodies
        They own the coordinates, in this order.
    items
        Joints, loads and contacts between these bodies.
    sensors
        What results show beside the coordinates: motions of points (`PointSensor`), forces and
        moments (`LoadSensor`) by their names.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import Gravity, TorsionSpring
    >>> rotor = RigidBody("rotor", 2.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    >>> system = System([rotor], [Gravity([rotor]), TorsionSpring(None, rotor, 5.0)])
    >>> print(system)
    bodies 1, dofs 2, rows 0, rank 0, mobility 2
    bodies
      rotor  RigidBody  2 kg  uz rz
    forces
      gravity         Gravity        rotor
      torsion spring  TorsionSpring  rotor
    >>> acceleration, _ = system.accelerations(system.state(q={"rotor.rz": 0.1}))
    >>> acceleration.round(4).tolist()
    [-9.8066, -2.5]
    """

    def accelerations(
        self, state: State, rank: int | None = None, force: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Accelerations v' (n,) and multipliers lam (m,): M v' - A^T lam = f, A v' = -bias.

        Contacts act with the history of the state; if it has none, they slide. Rows that exclude
        each other are met in the mean (least squares). Off the constraints, where integrators ask
        too, redundant rows always do a little; `consistent` refuses conflicts.

        Parameters
        ----------
        state
            Positions and velocities, on the constraints or near them.
        rank
            Largest number of independent rows. Off the constraints a redundant row may count as
            independent and lock the mechanism; integrators give the rank on the constraints.
        force
            Generalised force (n,), if it is known.
        """
        return accelerations(self, state, rank, force)

    def with_parameters(self, values: Mapping[str, Any]) -> System:
        """The system with other values of some parameters, without building it again.

        It is the way to vary a system in maps, sweeps, branches and searches: items that do not
        change are the same objects, and the compiled program is that of the values before with the
        rows of the changed ones written anew. The system itself stays as it is.

        Parameters
        ----------
        values
            Values by "item.field", such as "bearing.radial_stiffness", "load.vector" or, of a
            part of an item, "contact.friction.mu". A body that changes does so in all that refers
            to it. Its `model` does not change: surfaces and markers are worked out from it.

        Examples
        --------
        >>> from fecontact.body import RigidBody
        >>> from fecontact.joint import SpringDamper
        >>> mass = RigidBody("mass", 1.0, ("ux",))
        >>> ends = {"point_a": (-1.0, 0.0, 0.0), "name": "spring"}
        >>> system = System([mass], [SpringDamper(None, mass, 100.0, **ends)])
        >>> stiffer = system.with_parameters({"spring.stiffness": 400.0})
        >>> stiffer.bodies[0] is mass, stiffer.items[1].stiffness
        (True, 400.0)
        """
        return self.variants(values)

    @cached_property
    def variants(self) -> Variants:
        """Makes the systems that differ from this one in their parameters."""
        return Variants(self)

    def begin(self, state: State, program: Program | None = None) -> SystemStart:
        """Start of a time step from a state with its contact history.

        With a program of the system (`step_program`) it evaluates all but the contacts.
        """
        return SystemStart.of(self, state, program)

    def rate_form(self, state: State) -> SystemRate:
        """Force, and rates of the contact history, at a state: the continuous law."""
        return SystemRate.of(self, state)

    def loaded_force(self, state: State) -> Floats:
        """Generalised force (n,) with the contact history of the state; without one as `force`."""
        return loaded_force(self, state)

    def sliding(self, state: State) -> State:
        """The state with the contact history of steady sliding: z = (mu p/c_t) along the slip.

        A simulation from it starts on the steady state instead of bending all bristles first.
        Points that rest have no bent bristles, and slip work and path begin at zero.
        """
        histories = {
            item.name: item.steady_sliding_history(state.t, *self.local(item, state))
            for item in self.stateful_contacts
        }
        return self.history_layout.with_histories(state, histories)

    def state(
        self, q: Mapping[str, float] | None = None, v: Mapping[str, float] | None = None,
        t: float = 0.0,
    ) -> State:  # fmt: skip
        """State with positions and velocities given by name, {"arm.rz": 0.3}; else at rest.

        A position is a step of the dof from the reference position: a displacement, an angle,
        or a component of the rotation vector of a body with three rotations. The state need not
        fulfil the constraints, see `consistent`.
        """
        return named_state(self, q or {}, v or {}, t)

    def consistent(
        self, state: State, keep: Iterable[str] = (), tolerance: float = POSITION_TOLERANCE
    ) -> Projection:
        """State on the constraints nearest to a given one, with multipliers and accelerations.

        Parameters
        ----------
        state
            First guess.
        keep
            Names of dofs ("arm.rz") or bodies, or one name: their positions and velocities
            must not change. Of a body with three rotations, a kept one is not turned about its
            body-fixed axis.
        tolerance
            Largest residual of a position row, in its unit.

        Raises
        ------
        SolverError
            If rows cannot be met; the message names them.
        """
        check_state(self, state)
        return Projector(self, keep, tolerance).project(state)

    def redundancy(self, state: State | None = None) -> Redundancy:
        """Rank, mobility and redundant rows at a state, by default in the reference position."""
        return redundancy(self, self.rest() if state is None else state)

    def reaction(self, state: State, name: str) -> Reaction:
        """Force and moment of a constraint on its bodies, from the multipliers of the state."""
        return reaction(self, state, name)

    def energies(self, state: State) -> Energies:
        """Energies and dissipated power by item."""
        return energies(self, state)

    def momentum(
        self, state: State, about: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> tuple[Floats, Floats]:
        """Momentum (3,), and angular momentum (3,) about a point, in space components."""
        return momentum(self, state, np.asarray(about, dtype=float))

    def describe(self) -> dict[str, Any]:
        """Record of bodies, constraints, forces, contacts, redundancy and groups, for JSON."""
        return describe(self)

    def __str__(self) -> str:
        return report(self)
