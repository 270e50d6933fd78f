"""Which flanks of the gears carry the load in a steady state."""

from __future__ import annotations

from fecontact.analysis.equilibrium import balanced
from fecontact.errors import SolverError
from fecontact.system import System
from fecontact.system.one_sided import pulling
from fecontact.typing import Constraint, Floats, OneSided

__all__ = ["with_loaded_flanks"]


def with_loaded_flanks(
    system: System, guess: Floats | None = None, t: float | None = None
) -> System:
    """Return the system with its rigid gears on the flanks that press in the steady state.

    Gears that would pull change to the other flank, until all press. The parameters are those of
    `steady_state`; its state then belongs to the system that is returned.

    Raises
    ------
    SolverError
        If gears would pull on either flank.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import GearMesh, GearPair, TorsionSpring, Torque
    >>> one = RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    >>> two = RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    >>> mesh = GearMesh(one, two, GearPair((20, 40), base_radius=0.05, distance=0.16))
    >>> load = Torque(one, (0.0, 0.0, -80.0)), TorsionSpring(None, two, 1e3)
    >>> with_loaded_flanks(System([one, two], [mesh, *load])).rows
    ('gear mesh.rear',)
    """
    tried = set[tuple[str, ...]]()
    while system.rows not in tried:
        tried.add(system.rows)
        found = balanced(system, guess, 0.0 if t is None else t)
        wrong = pulling(system, found.state)
        if not wrong:
            return system
        forces = system.items[len(system.bodies) :]
        rows = [_switched(c) if c.name in wrong else c for c in system.constraints]
        system = System(system.bodies, [*forces, *rows])
    names = ", ".join(f"'{name}'" for name in wrong)
    raise SolverError(
        f"{names} would pull on either flank: no choice of flanks presses; use ElasticGearMesh"
    )


def _switched(constraint: Constraint) -> Constraint:
    return constraint.switched() if isinstance(constraint, OneSided) else constraint
