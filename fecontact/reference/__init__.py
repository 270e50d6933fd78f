"""Closed-form solutions that tests and cases compare with; independent of the package's models."""

from fecontact.lazy import lazy_names

_NAMES = """
structures.beam: BEAM_ENDS BLEVINS_1979 beam_frequencies shear_flexible_frequency
structures.rotating_beam: WRIGHT_1982 rotating_cantilever_frequencies
structures.reissner_beam: rotating_reissner_frequencies
structures.annular_plate: annular_plate_frequencies
structures.circular_plate: PLATE_EDGES SHEAR_FACTOR circular_plate_frequencies
structures.thick_plate: lamb_frequency
structures.rotating_disc: spinning_annulus_stress spinning_membrane_frequency
contact.punch: PowerPunch flat_punch half_space_displacement sphere_exact sphere_series
contact.viscoelastic: HertzCreep LAWS
multibody.gear: contact_length_range mesh_frequency
multibody.chain: HingedChain Link
structures.follower: beck_column
contact.half_space: sheared_half_space
structures.plate_statics: ring_load_deflection
friction.shear_lag: ShearLagBar
contact.sliding_ring: sliding_ring
contact.sliding_points: sliding_points
contact.area_friction: BLOCK_FRICTION PATCH_FRICTION PATCH_INNER hertz_patch_friction
multibody.link_pendulum: link_pendulum
structures.spin_up_beam: spin_up_deflection
contact.sliding_annulus: sliding_annulus
friction.sliding_masses: KickedMasses SlidingMasses
friction.stick_slip: RigidStickSlip stick_slip_amplitude stick_slip_cycle
friction.hysteresis: jenkins_work masing
contact.wedge: RotatingWedge wedged_disc_torque
contact.clutch_facing: DishedPlate HeldDisc conical_facing_torque facing_torque
friction.partial_slip: PartialSlip
friction.break_away: BreakAway
multibody.joint_motion: JOINT_KINDS JointFrames JointedMotion transport
friction.rod_on_disc: rigid_rod_on_disc
multibody.heavy_top: HeavyTop
friction.mode_coupling: SkewSprings
multibody.pendulum: LargeSwing
multibody.double_pendulum: OrthogonalPendulum
contact.hertz: hertz_measures impact_restitution over_disc roller_dent
friction.switched_friction: FrictionMotion switched_spring
multibody.modal_contact: QuasiStaticModes quasi_static released_constraints
multibody.gearbox: GearboxConstants SettledGearbox gearbox_path settled_gearbox
multibody.natural: NaturalBody NaturalSystem
structures.roots: ascending_roots
structures.rubbed_disc: pad_on_disc
friction.rubbed_tilt: RubbedTilt
friction.rolling_hoop: hoop_first_step
friction.sloped_block: SlopedBlock
friction.belt_swing: BeltSwing
"""
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
