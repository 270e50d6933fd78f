"""fecontact: friction-induced vibration, from the finite-element mesh to the answer.

The folders, read in order, are the data flow:

    mesh -> fem -> reduction -> body -> joint, contact -> system -> results -> integrate
         -> analysis -> view

Examples
--------
Does a clutch disc, pressed on an elastic plate, squeal?

>>> import fecontact as fc
>>> plate = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "simply_supported"})
>>> model = fc.reduce_harmonic(plate, contact_radius=0.1)
>>> disc = fc.SpinningDisc("plate", model, speed=390.0, damping=5e-4)
>>> clutch = fc.RigidBody("clutch", mass=0.5, spin=300.0)
>>> facing = fc.ring(radius=0.1, points=24, height=0.0025)
>>> spring = fc.PenaltyNormal(12e6 / facing.measure, 10.0 / facing.measure)
>>> contact = fc.ContactPair(clutch, facing, fc.PlateFace(disc), spring, fc.CoulombSliding(0.3))
>>> bearing = fc.Bearing(clutch, 32e6, 3e6, radial_damping=10.0, axial_damping=10.0)
>>> system = fc.System([clutch, disc], [bearing, fc.Force(clutch, (0, 0, -5000.0)), contact])
>>> steady = fc.steady_state(system)
>>> modes = fc.complex_modes(fc.linearise(system, steady.state))
>>> print(f"{modes.leading_growth:+.1f} 1/s at {modes.leading_frequency:.0f} Hz")
+15.4 1/s at 1273 Hz
"""

__version__ = "0.1.0"

import warnings
from typing import Any

from fecontact.analysis import (
    ComplexModes,
    LinearModel,
    SteadyState,
    Sweep,
    complex_modes,
    linearise,
    steady_state,
    sweep,
)
from fecontact.body import ElasticBody, RigidBody, SpinningDisc
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    PlateFace,
    RigidFace,
    Surface,
    ring,
)
from fecontact.errors import InputError, SolverError
from fecontact.fem import STEEL, HarmonicPlate, KirchhoffPlate, Material
from fecontact.integrate import Event, simulate
from fecontact.joint import Bearing, Force, Gravity, PrescribedMotion, Revolute, SpringDamper
from fecontact.mesh import annulus, load_mesh, save_mesh, solid_annulus
from fecontact.reduction import HarmonicModel, reduce_harmonic, reduce_model, ritz_harmonic
from fecontact.results import BodyGeometry, Result
from fecontact.system import State, System

__all__ = [
    "STEEL",
    "Bearing",
    "BodyGeometry",
    "ComplexModes",
    "ContactPair",
    "CoulombSliding",
    "ElasticBody",
    "ElastoPlastic",
    "EulerianPair",
    "Event",
    "Force",
    "Gravity",
    "HarmonicModel",
    "HarmonicPlate",
    "InputError",
    "KirchhoffPlate",
    "LinearModel",
    "Material",
    "PenaltyNormal",
    "PlateFace",
    "PrescribedMotion",
    "Result",
    "Revolute",
    "RigidBody",
    "RigidFace",
    "SolverError",
    "SpinningDisc",
    "SpringDamper",
    "State",
    "SteadyState",
    "Surface",
    "Sweep",
    "System",
    "annulus",
    "complex_modes",
    "linearise",
    "load_mesh",
    "reduce_harmonic",
    "reduce_model",
    "ring",
    "ritz_harmonic",
    "save_mesh",
    "simulate",
    "solid_annulus",
    "steady_state",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Former names of the top level, with a warning."""
    if name != "Trajectory":
        raise AttributeError(f"module 'fecontact' has no attribute '{name}'")
    warnings.warn("fecontact.Trajectory is now fecontact.Result", DeprecationWarning, stacklevel=2)
    return Result
