# Names of this package with their types; __init__.py imports them when they are used.
# ruff: noqa: E402, I001

from fecontact import reference as reference, view as view

__version__: str

# mesh: cells, node sets, files
from fecontact.mesh import annulus as annulus
from fecontact.mesh import beam as beam
from fecontact.mesh import block as block
from fecontact.mesh import disc as disc
from fecontact.mesh import rectangle as rectangle
from fecontact.mesh import ring_sector as ring_sector
from fecontact.mesh import solid_annulus as solid_annulus
from fecontact.mesh import solid_disc as solid_disc
from fecontact.mesh import solid_ring_sector as solid_ring_sector
from fecontact.mesh import Towards as Towards
from fecontact.mesh import load_mesh as load_mesh
from fecontact.mesh import save_mesh as save_mesh
from fecontact.mesh import check_mesh as check_mesh
from fecontact.mesh import node_sets as node_sets
from fecontact.mesh import with_node_sets as with_node_sets
from fecontact.mesh import edges_on_nodes as edges_on_nodes
from fecontact.mesh import boundary_facets as boundary_facets
from fecontact.mesh.grading import divisions as divisions
from fecontact.mesh.half_space import half_space as half_space

# fem: materials, finite-element bodies, springs, damping
from fecontact.fem import STEEL as STEEL
from fecontact.fem import ALUMINIUM as ALUMINIUM
from fecontact.fem import CAST_IRON as CAST_IRON
from fecontact.fem import FACING as FACING
from fecontact.fem import Material as Material
from fecontact.fem import Orthotropic as Orthotropic
from fecontact.fem import CartesianAxes as CartesianAxes
from fecontact.fem import CylindricalAxes as CylindricalAxes
from fecontact.fem import material as material
from fecontact.fem import ElasticSolid as ElasticSolid
from fecontact.fem import Beam as Beam
from fecontact.fem import Section as Section
from fecontact.fem import Segment as Segment
from fecontact.fem import StationMass as StationMass
from fecontact.fem import StationSpring as StationSpring
from fecontact.fem import straight_beam as straight_beam
from fecontact.fem import HarmonicPlate as HarmonicPlate
from fecontact.fem import KirchhoffPlate as KirchhoffPlate
from fecontact.fem import MindlinPlate as MindlinPlate
from fecontact.fem import RotatingBody as RotatingBody
from fecontact.fem import MatrixModel as MatrixModel
from fecontact.fem import NodeSurface as NodeSurface
from fecontact.fem import read_matrix as read_matrix
from fecontact.fem import Foundation as Foundation
from fecontact.fem import PointSpring as PointSpring
from fecontact.fem import SurfaceSpring as SurfaceSpring
from fecontact.fem import ModalDamping as ModalDamping
from fecontact.fem import RayleighDamping as RayleighDamping
from fecontact.fem import StructuralDamping as StructuralDamping
from fecontact.fem import static_displacement as static_displacement
from fecontact.fem import rigid_surface as rigid_surface
from fecontact.fem import Assembly as Assembly
from fecontact.fem import Tie as Tie
from fecontact.fem import RigidCoupling as RigidCoupling
from fecontact.fem import AveragingCoupling as AveragingCoupling
from fecontact.fem import Equation as Equation
from fecontact.fem import Bolt as Bolt
from fecontact.fem import read_deck as read_deck
from fecontact.fem.model import FESurface as FESurface

# reduction: few coordinates that are right under contact loads
from fecontact.reduction import reduce_model as reduce_model
from fecontact.reduction import ReducedModel as ReducedModel
from fecontact.reduction import Waves as Waves
from fecontact.reduction import waves_around as waves_around
from fecontact.reduction import load_reduced as load_reduced
from fecontact.reduction import save_reduced as save_reduced
from fecontact.reduction import reduce_harmonic as reduce_harmonic
from fecontact.reduction import ritz_harmonic as ritz_harmonic
from fecontact.reduction import HarmonicModel as HarmonicModel
from fecontact.reduction import HarmonicLoads as HarmonicLoads
from fecontact.reduction import PatchLoads as PatchLoads
from fecontact.reduction import PolynomialLoads as PolynomialLoads
from fecontact.reduction import CombinedLoads as CombinedLoads
from fecontact.reduction import condense as condense
from fecontact.reduction import Condensed as Condensed
from fecontact.reduction.basis import vibration_modes as vibration_modes
from fecontact.reduction.flexibility import Flexibility as Flexibility
from fecontact.reduction.loads import load_vectors as load_vectors

# bodies
from fecontact.body import RigidBody as RigidBody
from fecontact.body import ElasticBody as ElasticBody
from fecontact.body import FEBody as FEBody
from fecontact.body import ModalBody as ModalBody
from fecontact.body import SpinningDisc as SpinningDisc
from fecontact.body import Hub as Hub
from fecontact.body import Marker as Marker
from fecontact.body import MovingFrame as MovingFrame
from fecontact.body import TurningFrame as TurningFrame
from fecontact.body import DOFS as DOFS
from fecontact.body.base import Body as Body
from fecontact.body.motion import RigidPointMotion as RigidPointMotion
from fecontact.body.rotation import quaternion_matrix as quaternion_matrix

# joints, springs, gears, loads, prescribed motions
from fecontact.joint import Revolute as Revolute
from fecontact.joint import Prismatic as Prismatic
from fecontact.joint import Cylindrical as Cylindrical
from fecontact.joint import Spherical as Spherical
from fecontact.joint import Universal as Universal
from fecontact.joint import Planar as Planar
from fecontact.joint import Distance as Distance
from fecontact.joint import RigidJoint as RigidJoint
from fecontact.joint import Bearing as Bearing
from fecontact.joint import Bushing as Bushing
from fecontact.joint import SpringDamper as SpringDamper
from fecontact.joint import TorsionSpring as TorsionSpring
from fecontact.joint import SoftStop as SoftStop
from fecontact.joint import GearPair as GearPair
from fecontact.joint import GearMesh as GearMesh
from fecontact.joint import ElasticGearMesh as ElasticGearMesh
from fecontact.joint import GearRatio as GearRatio
from fecontact.joint import ContactLines as ContactLines
from fecontact.joint import contact_lines as contact_lines
from fecontact.joint import Force as Force
from fecontact.joint import Torque as Torque
from fecontact.joint import Gravity as Gravity
from fecontact.joint import NodalLoad as NodalLoad
from fecontact.joint import SurfaceLoad as SurfaceLoad
from fecontact.joint import SupportMotion as SupportMotion
from fecontact.joint import Wrench as Wrench
from fecontact.joint import Drive as Drive
from fecontact.joint import PrescribedMotion as PrescribedMotion
from fecontact.joint import MotionLaw as MotionLaw
from fecontact.joint import MotionFunction as MotionFunction
from fecontact.joint import MotionTable as MotionTable
from fecontact.joint import Speed as Speed
from fecontact.joint import SmoothStep as SmoothStep
from fecontact.joint import RunUp as RunUp
from fecontact.joint import ramp as ramp
from fecontact.joint import Curve as Curve
from fecontact.joint import Function as Function
from fecontact.joint import Line as Line
from fecontact.joint import Table as Table
from fecontact.joint import Sine as Sine
from fecontact.joint import Length as Length
from fecontact.joint import Angle as Angle
from fecontact.joint import Stroke as Stroke
from fecontact.joint import DofCoordinate as DofCoordinate
from fecontact.joint.base import Joint as Joint
from fecontact.joint.base import AxisJoint as AxisJoint
from fecontact.joint.element import FrameElement as FrameElement
from fecontact.joint.frames import Frames as Frames
from fecontact.joint.frames import FrameRows as FrameRows
from fecontact.joint.loads.generalised_force import GeneralisedForce as GeneralisedForce
from fecontact.joint.matrix_coupling import MatrixCoupling as MatrixCoupling
from fecontact.joint.coordinate import Coordinate as Coordinate
from fecontact.joint.relative import Relative as Relative

# contact: points of the slave surface
from fecontact.contact import Surface as Surface
from fecontact.contact import ring as ring
from fecontact.contact import line as line
from fecontact.contact import cap as cap
from fecontact.contact import cone_wall as cone_wall
from fecontact.contact import mesh_surface as mesh_surface
from fecontact.contact import elastic_surface as elastic_surface
from fecontact.contact import fe_surface as fe_surface
from fecontact.contact import annulus as _annulus_surface

annulus_surface = _annulus_surface

from fecontact.contact import rectangle as _rectangle_surface

rectangle_surface = _rectangle_surface

from fecontact.contact import conical as conical
from fecontact.contact import spherical as spherical
from fecontact.contact import waviness as waviness

# contact: faces of the master
from fecontact.contact import RigidFace as RigidFace
from fecontact.contact import Ring as Ring
from fecontact.contact import ElasticFace as ElasticFace
from fecontact.contact import FEFace as FEFace
from fecontact.contact import PlateFace as PlateFace
from fecontact.contact import Plane as Plane
from fecontact.contact import Sphere as Sphere
from fecontact.contact import Cylinder as Cylinder
from fecontact.contact import Cone as Cone
from fecontact.contact import Torus as Torus

# contact: normal laws, friction laws, friction coefficients
from fecontact.contact import PenaltyNormal as PenaltyNormal
from fecontact.contact import PowerNormal as PowerNormal
from fecontact.contact import TableNormal as TableNormal
from fecontact.contact import JKRNormal as JKRNormal
from fecontact.contact import KelvinLayer as KelvinLayer
from fecontact.contact import SolidLayer as SolidLayer
from fecontact.contact import CoulombSliding as CoulombSliding
from fecontact.contact import ElastoPlastic as ElastoPlastic
from fecontact.contact import RegularisedCoulomb as RegularisedCoulomb
from fecontact.contact import MindlinFriction as MindlinFriction
from fecontact.contact import dahl as dahl
from fecontact.contact import dupont as dupont
from fecontact.contact import lugre as lugre
from fecontact.contact import Coulomb as Coulomb
from fecontact.contact import Stribeck as Stribeck
from fecontact.contact import FrictionTable as FrictionTable
from fecontact.contact import FrictionLaw as FrictionLaw
from fecontact.contact import NormalLaw as NormalLaw
from fecontact.contact import ContactModuli as ContactModuli
from fecontact.contact import penalty_for as penalty_for
from fecontact.contact import winkler_layer as winkler_layer
from fecontact.contact import check_penalty as check_penalty
from fecontact.contact import regularise as regularise
from fecontact.contact.laws.base import Coefficient as Coefficient
from fecontact.contact.laws.base import Pressure as Pressure
from fecontact.contact.laws.scalar_friction import ScalarFriction as ScalarFriction
from fecontact.contact.laws.point import NormalPoint as NormalPoint
from fecontact.contact.laws.point import FrictionPoint as FrictionPoint
from fecontact.contact.laws.point import CoefficientPoint as CoefficientPoint
from fecontact.contact.laws.point import StateVariable as StateVariable
from fecontact.contact.laws.point import FrictionStep as FrictionStep
from fecontact.contact.laws.point import FrictionSlopes as FrictionSlopes
from fecontact.contact.laws.point import FrictionRate as FrictionRate
from fecontact.contact.laws.point import FrictionRateSlopes as FrictionRateSlopes
from fecontact.contact.laws.point import NormalRateSlopes as NormalRateSlopes
from fecontact.kernels.calls import inlined as inlined
from fecontact.contact import laws as laws

# contact: closed forms of a patch, friction of an area with spin
from fecontact.contact import HertzPoint as HertzPoint
from fecontact.contact import HertzLine as HertzLine
from fecontact.contact import HertzEllipse as HertzEllipse
from fecontact.contact import JKRContact as JKRContact
from fecontact.contact import equivalent_radius as equivalent_radius
from fecontact.contact import relative_curvature as relative_curvature
from fecontact.contact import AreaFriction as AreaFriction
from fecontact.contact import PlanarFriction as PlanarFriction
from fecontact.contact import LimitCurve as LimitCurve
from fecontact.contact import gauge as gauge
from fecontact.contact import AnnulusPatch as AnnulusPatch
from fecontact.contact import HertzPatch as HertzPatch
from fecontact.contact import PointPatch as PointPatch
from fecontact.contact import Rectangle as Rectangle
from fecontact.contact.patch.flat import AxisymmetricPatch as AxisymmetricPatch

# contact: pairs and their status
from fecontact.contact import ContactPair as ContactPair
from fecontact.contact import EulerianPair as EulerianPair
from fecontact.contact import RigidContact as RigidContact
from fecontact.contact import ContactReport as ContactReport
from fecontact.contact import ContactHistory as ContactHistory
from fecontact.contact import ContactStart as ContactStart
from fecontact.contact import OPEN as OPEN
from fecontact.contact import STICK as STICK
from fecontact.contact import SLIP as SLIP
from fecontact.contact import GROSS as GROSS

# system and its state
from fecontact.system import System as System
from fecontact.system import State as State
from fecontact.system import posed as posed
from fecontact.system import PointSensor as PointSensor
from fecontact.system import LoadSensor as LoadSensor

# integration in time
from fecontact.integrate import simulate as simulate
from fecontact.integrate import Event as Event
from fecontact.integrate import SimulationError as SimulationError
from fecontact.integrate import contact_residuals as contact_residuals
from fecontact.integrate import impact as impact
from fecontact.integrate import METHODS as METHODS
from fecontact.integrate.control import StepBudget as StepBudget
from fecontact.results.point import Point as _MotionPoint

MotionPoint = _MotionPoint
from fecontact.results.statistics import Statistics as Statistics
from fecontact.integrate.moreau.impact import fremond as fremond
from fecontact.integrate.moreau.impact import Jump as Jump

# analysis: steady states, statics, stability, periodic motions, continuation
from fecontact.analysis import steady_state as steady_state
from fecontact.analysis import SteadyState as SteadyState
from fecontact.analysis import operating_point as operating_point
from fecontact.analysis import OperatingPoint as OperatingPoint
from fecontact.analysis import sweep as sweep
from fecontact.analysis import Sweep as Sweep
from fecontact.analysis import StaticSystem as StaticSystem
from fecontact.analysis import load_path as load_path
from fecontact.analysis import LoadPath as LoadPath
from fecontact.analysis import LoadPathError as LoadPathError
from fecontact.analysis import linearise as linearise
from fecontact.analysis import LinearModel as LinearModel
from fecontact.analysis import complex_modes as complex_modes
from fecontact.analysis import ComplexModes as ComplexModes
from fecontact.analysis import pencil as pencil
from fecontact.analysis import Pencil as Pencil
from fecontact.analysis import track_modes as track_modes
from fecontact.analysis import Tracks as Tracks
from fecontact.analysis import Branch as Branch
from fecontact.analysis import MatrixBranch as MatrixBranch
from fecontact.analysis import critical_value as critical_value
from fecontact.analysis import Critical as Critical
from fecontact.analysis import coalescence as coalescence
from fecontact.analysis import mechanism as mechanism
from fecontact.analysis import contributions as contributions
from fecontact.analysis import power_balance as power_balance
from fecontact.analysis import PowerBalance as PowerBalance
from fecontact.analysis import sensitivities as sensitivities
from fecontact.analysis import frequency_response as frequency_response
from fecontact.analysis import disturbance as disturbance
from fecontact.analysis import Disturbance as Disturbance
from fecontact.analysis import stability_map as stability_map
from fecontact.analysis import StabilityMap as StabilityMap
from fecontact.analysis import MapAxis as MapAxis
from fecontact.analysis import regions as regions
from fecontact.analysis import Region as Region
from fecontact.analysis import full_point as full_point
from fecontact.analysis import FullPoint as FullPoint
from fecontact.analysis import Certificate as Certificate
from fecontact.analysis import reduction_study as reduction_study
from fecontact.analysis import ReductionStudy as ReductionStudy
from fecontact.analysis.turning.ways import turning_point as turning_point
from fecontact.analysis.turning.points import TurningPoint as TurningPoint
from fecontact.analysis.turning.points import PeriodicPoint as PeriodicPoint
from fecontact.analysis.turning.points import Asymmetry as Asymmetry
from fecontact.analysis.statics.increment import ContactResult as ContactResult
from fecontact.analysis.steady.equilibrium_path import equilibrium_path as equilibrium_path
from fecontact.analysis.convergence import extrapolated as extrapolated
from fecontact.analysis.convergence import observed_order as observed_order
from fecontact.analysis.continuation import follow as follow
from fecontact.analysis.continuation import solve_at as solve_at
from fecontact.analysis.continuation import PathOptions as PathOptions
from fecontact.analysis.continuation import Path as _SolutionPath

SolutionPath = _SolutionPath

from fecontact.analysis.continuation import Exchanged as Exchanged
from fecontact.analysis.periodic.motion import SystemMotion as SystemMotion
from fecontact.analysis.periodic.motion import Oscillator as Oscillator
from fecontact.analysis.periodic.shooting import shoot as shoot
from fecontact.analysis.periodic.shooting import Shooting as Shooting
from fecontact.analysis.periodic.shooting import PeriodicOrbit as PeriodicOrbit
from fecontact.analysis.periodic.one_period import pass_period as pass_period
from fecontact.analysis.periodic.harmonics import Harmonics as Harmonics
from fecontact.analysis.periodic.harmonic_balance import harmonic_balance as harmonic_balance
from fecontact.analysis.periodic.harmonic_balance import HarmonicBalance as HarmonicBalance
from fecontact.analysis.periodic.harmonic_balance import HarmonicOrbit as HarmonicOrbit
from fecontact.analysis.periodic.rotating_wave import RotatingWave as RotatingWave
from fecontact.analysis.periodic.rotating_wave import Wave as Wave
from fecontact.analysis.periodic.rotating_wave import turn_of as turn_of
from fecontact.analysis.periodic.rotating_wave import rotation_generators as rotation_generators
from fecontact.solvers.complementarity import ContactProblem as ContactProblem
from fecontact.solvers.complementarity import solve_contacts as solve_contacts
from fecontact.solvers.lemke import lemke as lemke
from fecontact.solvers.linear import factorise as factorise
from fecontact.solvers.eigen import lowest_modes as lowest_modes
from fecontact.solvers.eigen import quadratic_eigenpairs as quadratic_eigenpairs
from fecontact.solvers.region import quadratic_modes as quadratic_modes
from fecontact.solvers.region import QuadraticModes as QuadraticModes

# results in memory and on disk
from fecontact.results import Result as Result
from fecontact.results import BodyGeometry as BodyGeometry
from fecontact.results.signals import crossings as crossings
from fecontact.results.signals import turning_points as turning_points

# cases: parameters, references, runs
from fecontact.case import Case as Case
from fecontact.case import Parameters as Parameters
from fecontact.case import quantity as quantity
from fecontact.case import derived as derived
from fecontact.case import between as between
from fecontact.case import Reference as Reference
from fecontact.case import References as References
from fecontact.case import GIVEN as GIVEN
from fecontact.case import Run as Run
from fecontact.case import load_module as load_module
from fecontact.case import mesh_folder as mesh_folder
from fecontact.case.cached import cached_by as cached_by

# errors, allowed values, arrays
from fecontact.errors import InputError as InputError
from fecontact.errors import SolverError as SolverError
from fecontact.errors import SingularError as SingularError
from fecontact.errors import PlausibilityWarning as PlausibilityWarning
from fecontact.errors import SlowContactWarning as SlowContactWarning
from fecontact.errors import Allowed as Allowed
from fecontact.errors import FINITE as FINITE
from fecontact.errors import POSITIVE as POSITIVE
from fecontact.errors import NON_NEGATIVE as NON_NEGATIVE
from fecontact.errors import NONZERO as NONZERO
from fecontact.errors import POISSON as POISSON
from fecontact.errors import at_least as at_least
from fecontact.errors import multiple_of as multiple_of
from fecontact.errors import one_of as one_of
from fecontact.errors import check as check
from fecontact.typing import Floats as Floats
from fecontact.typing import Integers as Integers
from fecontact.typing import Complexes as Complexes
from fecontact.typing import Tangents as Tangents
# folders without names of their own here: fc.reference.beam_frequencies, fc.view.curves_plot
