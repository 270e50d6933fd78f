"""fecontact: friction-induced vibration, from the finite-element mesh to the answer.

The folders, read in order, are the data flow:

    mesh -> fem -> reduction -> body -> joint, contact -> system -> results -> integrate
         -> analysis -> view

What a model needs is a name of `fecontact` itself, `fc.RigidBody`; docs/names.md lists all of them.
They are imported when they are first used.

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

from fecontact.lazy import lazy_names

__version__ = "0.2.0"

# Names by the folder that defines them, in the order of the data flow; __init__.pyi has the same
# names for editors and type checkers.
_NAMES = """
# mesh: cells, node sets, files
mesh: annulus beam block disc rectangle ring_sector solid_annulus solid_disc solid_ring_sector
    Towards load_mesh save_mesh check_mesh node_sets with_node_sets edges_on_nodes boundary_facets
mesh.grading: divisions
mesh.half_space: half_space

# fem: materials, finite-element bodies, springs, damping
fem: STEEL ALUMINIUM CAST_IRON FACING Material Orthotropic CartesianAxes CylindricalAxes material
    ElasticSolid Beam Section Segment StationMass StationSpring straight_beam HarmonicPlate
    KirchhoffPlate MindlinPlate RotatingBody MatrixModel NodeSurface read_matrix Foundation
    PointSpring SurfaceSpring ModalDamping RayleighDamping StructuralDamping static_displacement
    rigid_surface Assembly Tie RigidCoupling AveragingCoupling Equation Bolt read_deck
fem.model: FESurface

# reduction: few coordinates that are right under contact loads
reduction: reduce_model ReducedModel load_reduced save_reduced reduce_harmonic ritz_harmonic
    HarmonicModel HarmonicLoads PatchLoads PolynomialLoads CombinedLoads condense Condensed
    Waves waves_around
reduction.basis: vibration_modes
reduction.flexibility: Flexibility
reduction.loads: load_vectors

# bodies
body: RigidBody ElasticBody FEBody ModalBody SpinningDisc Hub Marker MovingFrame
    TurningFrame DOFS
body.base: Body
body.motion: RigidPointMotion
body.rotation: quaternion_matrix

# joints, springs, gears, loads, prescribed motions
joint: Revolute Prismatic Cylindrical Spherical Universal Planar Distance RigidJoint Bearing Bushing
    SpringDamper TorsionSpring SoftStop GearPair GearMesh ElasticGearMesh GearRatio ContactLines
    contact_lines Force Torque Gravity NodalLoad SurfaceLoad SupportMotion Wrench Drive
    PrescribedMotion MotionLaw MotionFunction MotionTable Speed SmoothStep RunUp ramp Curve Function
    Line Table Sine Length Angle Stroke DofCoordinate
joint.base: Joint AxisJoint
joint.element: FrameElement
joint.frames: Frames FrameRows
joint.loads.generalised_force: GeneralisedForce
joint.matrix_coupling: MatrixCoupling
joint.coordinate: Coordinate
joint.relative: Relative

# contact: points of the slave surface
contact: Surface ring line cap cone_wall mesh_surface elastic_surface fe_surface
    annulus_surface=annulus rectangle_surface=rectangle conical spherical waviness

# contact: faces of the master
contact: RigidFace ElasticFace FEFace PlateFace Plane Ring Sphere Cylinder Cone
    Torus

# contact: normal laws, friction laws, friction coefficients
contact: PenaltyNormal PowerNormal TableNormal JKRNormal KelvinLayer SolidLayer CoulombSliding
    ElastoPlastic RegularisedCoulomb MindlinFriction dahl dupont lugre Coulomb Stribeck
    FrictionTable FrictionLaw NormalLaw ContactModuli penalty_for winkler_layer check_penalty
    regularise
contact.laws.base: Coefficient Pressure
contact.laws.scalar_friction: ScalarFriction
contact.laws.point: NormalPoint FrictionPoint CoefficientPoint StateVariable FrictionStep
    FrictionSlopes FrictionRate FrictionRateSlopes NormalRateSlopes
kernels.calls: inlined
contact: laws

# contact: closed forms of a patch, friction of an area with spin
contact: HertzPoint HertzLine HertzEllipse JKRContact equivalent_radius relative_curvature
    AreaFriction PlanarFriction LimitCurve gauge AnnulusPatch HertzPatch PointPatch Rectangle
contact.patch.flat: AxisymmetricPatch

# contact: pairs and their status
contact: ContactPair EulerianPair RigidContact ContactReport ContactHistory ContactStart OPEN STICK
    SLIP GROSS

# system and its state
system: System State posed PointSensor LoadSensor

# integration in time
integrate: simulate Event SimulationError contact_residuals impact METHODS
integrate.control: StepBudget
results.point: MotionPoint=Point
results.statistics: Statistics
integrate.moreau.impact: fremond Jump

# analysis: steady states, statics, stability, periodic motions, continuation
analysis: steady_state SteadyState operating_point OperatingPoint sweep Sweep StaticSystem
    load_path LoadPath LoadPathError
    linearise LinearModel complex_modes ComplexModes pencil Pencil track_modes Tracks Branch
    MatrixBranch critical_value Critical coalescence mechanism contributions power_balance
    PowerBalance sensitivities frequency_response disturbance Disturbance stability_map StabilityMap
    MapAxis regions Region full_point FullPoint Certificate reduction_study ReductionStudy
analysis.turning.ways: turning_point
analysis.turning.points: TurningPoint PeriodicPoint Asymmetry
analysis.statics.increment: ContactResult
analysis.steady.equilibrium_path: equilibrium_path
analysis.convergence: extrapolated observed_order
analysis.continuation: follow solve_at PathOptions SolutionPath=Path Exchanged
analysis.periodic.motion: SystemMotion Oscillator
analysis.periodic.shooting: shoot Shooting PeriodicOrbit
analysis.periodic.one_period: pass_period
analysis.periodic.harmonics: Harmonics
analysis.periodic.harmonic_balance: harmonic_balance HarmonicBalance HarmonicOrbit
analysis.periodic.rotating_wave: RotatingWave Wave turn_of rotation_generators
solvers.complementarity: ContactProblem solve_contacts
solvers.lemke: lemke
solvers.linear: factorise
solvers.eigen: lowest_modes quadratic_eigenpairs
solvers.region: quadratic_modes QuadraticModes

# results in memory and on disk
results: Result BodyGeometry
results.signals: crossings turning_points

# cases: parameters, references, runs
case: Case Parameters quantity derived between Reference References GIVEN Run load_module
    mesh_folder
case.cached: cached_by

# errors, allowed values, arrays
errors: InputError SolverError SingularError PlausibilityWarning SlowContactWarning Allowed FINITE
    POSITIVE NON_NEGATIVE NONZERO POISSON at_least multiple_of one_of check
typing: Floats Integers Complexes Tangents

# folders without names of their own here: fc.reference.beam_frequencies, fc.view.curves_plot
reference:
view:
"""
_FORMER = {
    "ElasticPair": "ContactModuli",
    "FREEDOMS": "DOFS",
    "Freedom": "DofCoordinate",
    "StepStart": "ContactStart",
    "Trajectory": "Result",
    "turning": "rotation_generators",
}
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES, _FORMER)
