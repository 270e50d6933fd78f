"""Closed-form solutions that tests and cases compare with; independent of the package's models."""

from fecontact.lazy import lazy_names

_NAMES = """
beam: BEAM_ENDS beam_frequencies shear_flexible_frequency
rotating_beam: rotating_cantilever_frequencies
reissner_beam: rotating_reissner_frequencies
annular_plate: annular_plate_frequencies
circular_plate: PLATE_EDGES SHEAR_FACTOR circular_plate_frequencies
thick_plate: lamb_frequency
rotating_disc: spinning_annulus_stress spinning_membrane_frequency
punch: PowerPunch flat_punch half_space_displacement sphere_exact sphere_series
viscoelastic: HertzCreep LAWS
gear: contact_length_range mesh_frequency
chain: HingedChain Link
follower: beck_column
half_space: sheared_half_space
plate_statics: ring_load_deflection
shear_lag: ShearLagBar
sliding_ring: sliding_ring
sliding_points: sliding_points
area_friction: hertz_patch_friction
link_pendulum: link_pendulum
spin_up_beam: spin_up_deflection
sliding_annulus: sliding_annulus
sliding_masses: KickedMasses SlidingMasses
stick_slip: RigidStickSlip stick_slip_amplitude stick_slip_cycle
hysteresis: masing
wedge: RotatingWedge wedged_disc_torque
clutch_facing: DishedPlate HeldDisc conical_facing_torque facing_torque
partial_slip: PartialSlip
break_away: BreakAway
joint_motion: JOINT_KINDS JointFrames JointedMotion transport
rod_on_disc: rigid_rod_on_disc
heavy_top: HeavyTop
mode_coupling: SkewSprings
pendulum: LargeSwing
double_pendulum: OrthogonalPendulum
hertz: hertz_measures impact_restitution over_disc roller_dent
switched_friction: FrictionMotion switched_spring
modal_contact: QuasiStaticModes quasi_static released_constraints
gearbox: GearboxConstants SettledGearbox gearbox_path settled_gearbox
natural: NaturalBody NaturalSystem
roots: ascending_roots
"""
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
