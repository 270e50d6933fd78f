"""Contact: surfaces with weighted points, their masters, normal and tangential laws.

What a user writes:

- `pair.py`, `eulerian_pair.py`: contact of two bodies, and of a disc that spins through its points;
  `standard_pairs.py`: plane on plane, ball in sphere, ball in cone
- `surface/`: points of the slave; `master/`: the surface that they touch
- `laws/`: one file per normal law, friction law, coefficient
- `stiffness.py`: which penalty to choose; `patch/`: Hertz, friction of an area with spin
- `rigid/`: unilateral contact without penalty, for Moreau's time stepping

What a contact step is made of, kinematics x transport x laws:

- `base.py`: base of contacts; `history.py`, `report.py`, `status.py`: what points keep, do and are
- `kinematics/`: relative motion, and how the history follows the material
- `evaluate/`: a time step, a rate, sliding, a fixed status, in the reference form (`step.py`, ...);
  `evaluate/compiled/`: by kernels, with one form each for points on rigid surfaces, on facets, and
  for bristles on the slave (`rigid.py`, `facets.py`, `on_slave.py`); `evaluate/lowered/`: as a part
  of a compiled program
- `kernels/`: the compiled loops over blocks of points, which both of them run
- `plausibility.py`: warnings of contacts that are pressed in too deep or are too stiff

How a time step asks for the force of a pair:

    ContactPair.begin(t, q, v, history)        evaluate/compiled/step.py: has the pair a kernel?
      -> CompiledStart                         yes: rigid, facets or on_slave; no: ContactStart
    .at(t, q, v, h)                            kernels/: motion, normals, gaps of a block of points,
      -> CompiledStep                          then its laws by their addresses (block_laws.py)
    .force, .tangents(), .history, .report()   as ContactStep (evaluate/step.py), which takes them
                                               from kinematics/ and laws/ with arrays

Continuous time is the same with `rate`; steady states take `force` and `tangents`, by which all
points slide (evaluate/sliding.py).
"""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.contact.eulerian_pair import EulerianPair
    from fecontact.contact.evaluate.rate import ContactRate
    from fecontact.contact.evaluate.step import ContactHistory, ContactStart, ContactStep
    from fecontact.contact.laws.adhesion import JKRContact, JKRNormal
    from fecontact.contact.laws.base import FrictionLaw, NormalLaw
    from fecontact.contact.laws.bristles import dahl, dupont, lugre
    from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
    from fecontact.contact.laws.elasto_plastic import ElastoPlastic
    from fecontact.contact.laws.kelvin_layer import KelvinLayer
    from fecontact.contact.laws.mindlin import MindlinFriction
    from fecontact.contact.laws.penalty import PenaltyNormal, winkler_layer
    from fecontact.contact.laws.power import PowerNormal
    from fecontact.contact.laws.regularised import RegularisedCoulomb
    from fecontact.contact.laws.sliding import CoulombSliding
    from fecontact.contact.laws.solid_layer import SolidLayer
    from fecontact.contact.laws.table import TableNormal
    from fecontact.contact.master.elastic_face import ElasticFace
    from fecontact.contact.master.nodal_face import FEFace
    from fecontact.contact.master.plate_face import PlateFace
    from fecontact.contact.master.rigid_face import RigidFace
    from fecontact.contact.master.shape import Cone, Cylinder, Plane, Ring, Sphere, Torus
    from fecontact.contact.pair import ContactPair
    from fecontact.contact.patch.area import AreaFriction, LimitCurve, gauge
    from fecontact.contact.patch.flat import AnnulusPatch, HertzPatch, PointPatch, Rectangle
    from fecontact.contact.patch.hertz import (
        ContactModuli,
        HertzEllipse,
        HertzLine,
        HertzPoint,
        equivalent_radius,
        relative_curvature,
    )
    from fecontact.contact.patch.planar import PlanarFriction
    from fecontact.contact.report import ContactReport, ContactStatus
    from fecontact.contact.rigid.contact import RigidContact
    from fecontact.contact.standard_pairs import ball_in_cone, ball_in_hollow_sphere, plane_plane
    from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
    from fecontact.contact.stiffness import (
        Penalty,
        Regularisation,
        check_penalty,
        penalty_for,
        penalty_on,
        regularise,
    )
    from fecontact.contact.surface.gap_fields import conical, spherical, waviness
    from fecontact.contact.surface.nodal import NodalSurface, fe_surface
    from fecontact.contact.surface.patches import annulus, cap, cone_wall, line, rectangle, ring
    from fecontact.contact.surface.points import Surface, elastic_surface, mesh_surface

__all__ = [
    "GROSS",
    "OPEN",
    "SLIP",
    "STICK",
    "AnnulusPatch",
    "AreaFriction",
    "Cone",
    "ContactHistory",
    "ContactModuli",
    "ContactPair",
    "ContactRate",
    "ContactReport",
    "ContactStart",
    "ContactStatus",
    "ContactStep",
    "Coulomb",
    "CoulombSliding",
    "Cylinder",
    "ElasticFace",
    "ElastoPlastic",
    "EulerianPair",
    "FEFace",
    "FrictionLaw",
    "FrictionTable",
    "HertzEllipse",
    "HertzLine",
    "HertzPatch",
    "HertzPoint",
    "JKRContact",
    "JKRNormal",
    "KelvinLayer",
    "LimitCurve",
    "MindlinFriction",
    "NodalSurface",
    "NormalLaw",
    "Penalty",
    "PenaltyNormal",
    "PlanarFriction",
    "Plane",
    "PlateFace",
    "PointPatch",
    "PowerNormal",
    "Rectangle",
    "Regularisation",
    "RegularisedCoulomb",
    "RigidContact",
    "RigidFace",
    "Ring",
    "SolidLayer",
    "Sphere",
    "Stribeck",
    "Surface",
    "TableNormal",
    "Torus",
    "annulus",
    "ball_in_cone",
    "ball_in_hollow_sphere",
    "cap",
    "check_penalty",
    "cone_wall",
    "conical",
    "dahl",
    "dupont",
    "elastic_surface",
    "equivalent_radius",
    "fe_surface",
    "gauge",
    "line",
    "lugre",
    "mesh_surface",
    "penalty_for",
    "penalty_on",
    "plane_plane",
    "rectangle",
    "regularise",
    "relative_curvature",
    "ring",
    "spherical",
    "waviness",
    "winkler_layer",
]

_NAMES = """
eulerian_pair: EulerianPair
evaluate.rate: ContactRate
evaluate.step: ContactHistory ContactStart ContactStep
laws.adhesion: JKRContact JKRNormal
laws.base: FrictionLaw NormalLaw
laws.bristles: dahl dupont lugre
laws.coefficient: Coulomb FrictionTable Stribeck
laws.elasto_plastic: ElastoPlastic
laws.kelvin_layer: KelvinLayer
laws.mindlin: MindlinFriction
laws.penalty: PenaltyNormal winkler_layer
laws.power: PowerNormal
laws.regularised: RegularisedCoulomb
laws.sliding: CoulombSliding
laws.solid_layer: SolidLayer
laws.table: TableNormal
master.elastic_face: ElasticFace
master.nodal_face: FEFace
master.plate_face: PlateFace
master.rigid_face: RigidFace
master.shape: Cone Cylinder Plane Ring Sphere Torus
pair: ContactPair
patch.area: AreaFriction LimitCurve gauge
patch.flat: AnnulusPatch HertzPatch PointPatch Rectangle
patch.hertz: ContactModuli HertzEllipse HertzLine HertzPoint equivalent_radius relative_curvature
patch.planar: PlanarFriction
report: ContactReport ContactStatus
rigid.contact: RigidContact
standard_pairs: ball_in_cone ball_in_hollow_sphere plane_plane
status: GROSS OPEN SLIP STICK
stiffness: Penalty Regularisation check_penalty penalty_for penalty_on regularise
surface.gap_fields: conical spherical waviness
surface.nodal: NodalSurface fe_surface
surface.patches: annulus cap cone_wall line rectangle ring
surface.points: Surface elastic_surface mesh_surface
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
