# Names of this package with their types; __init__.py imports them when they are used.
# ruff: noqa: I001

from fecontact.reference.structures.beam import BEAM_ENDS as BEAM_ENDS
from fecontact.reference.structures.beam import beam_frequencies as beam_frequencies
from fecontact.reference.structures.beam import shear_flexible_frequency as shear_flexible_frequency
from fecontact.reference.structures.rotating_beam import (
    rotating_cantilever_frequencies as rotating_cantilever_frequencies,
)
from fecontact.reference.structures.reissner_beam import (
    rotating_reissner_frequencies as rotating_reissner_frequencies,
)
from fecontact.reference.structures.annular_plate import (
    annular_plate_frequencies as annular_plate_frequencies,
)
from fecontact.reference.structures.circular_plate import PLATE_EDGES as PLATE_EDGES
from fecontact.reference.structures.circular_plate import SHEAR_FACTOR as SHEAR_FACTOR
from fecontact.reference.structures.circular_plate import (
    circular_plate_frequencies as circular_plate_frequencies,
)
from fecontact.reference.structures.thick_plate import lamb_frequency as lamb_frequency
from fecontact.reference.structures.rotating_disc import (
    spinning_annulus_stress as spinning_annulus_stress,
)
from fecontact.reference.structures.rotating_disc import (
    spinning_membrane_frequency as spinning_membrane_frequency,
)
from fecontact.reference.contact.punch import PowerPunch as PowerPunch
from fecontact.reference.contact.punch import flat_punch as flat_punch
from fecontact.reference.contact.punch import half_space_displacement as half_space_displacement
from fecontact.reference.contact.punch import sphere_exact as sphere_exact
from fecontact.reference.contact.punch import sphere_series as sphere_series
from fecontact.reference.contact.viscoelastic import HertzCreep as HertzCreep
from fecontact.reference.contact.viscoelastic import LAWS as LAWS
from fecontact.reference.multibody.gear import contact_length_range as contact_length_range
from fecontact.reference.multibody.gear import mesh_frequency as mesh_frequency
from fecontact.reference.multibody.chain import HingedChain as HingedChain
from fecontact.reference.multibody.chain import Link as Link
from fecontact.reference.structures.follower import beck_column as beck_column
from fecontact.reference.contact.half_space import sheared_half_space as sheared_half_space
from fecontact.reference.structures.plate_statics import (
    ring_load_deflection as ring_load_deflection,
)
from fecontact.reference.friction.shear_lag import ShearLagBar as ShearLagBar
from fecontact.reference.contact.sliding_ring import sliding_ring as sliding_ring
from fecontact.reference.contact.sliding_points import sliding_points as sliding_points
from fecontact.reference.contact.area_friction import hertz_patch_friction as hertz_patch_friction
from fecontact.reference.multibody.link_pendulum import link_pendulum as link_pendulum
from fecontact.reference.structures.spin_up_beam import spin_up_deflection as spin_up_deflection
from fecontact.reference.contact.sliding_annulus import sliding_annulus as sliding_annulus
from fecontact.reference.friction.sliding_masses import KickedMasses as KickedMasses
from fecontact.reference.friction.sliding_masses import SlidingMasses as SlidingMasses
from fecontact.reference.friction.stick_slip import RigidStickSlip as RigidStickSlip
from fecontact.reference.friction.stick_slip import stick_slip_amplitude as stick_slip_amplitude
from fecontact.reference.friction.stick_slip import stick_slip_cycle as stick_slip_cycle
from fecontact.reference.friction.hysteresis import masing as masing
from fecontact.reference.contact.wedge import RotatingWedge as RotatingWedge
from fecontact.reference.contact.wedge import wedged_disc_torque as wedged_disc_torque
from fecontact.reference.contact.clutch_facing import DishedPlate as DishedPlate
from fecontact.reference.contact.clutch_facing import HeldDisc as HeldDisc
from fecontact.reference.contact.clutch_facing import conical_facing_torque as conical_facing_torque
from fecontact.reference.contact.clutch_facing import facing_torque as facing_torque
from fecontact.reference.friction.partial_slip import PartialSlip as PartialSlip
from fecontact.reference.friction.break_away import BreakAway as BreakAway
from fecontact.reference.multibody.joint_motion import JOINT_KINDS as JOINT_KINDS
from fecontact.reference.multibody.joint_motion import JointFrames as JointFrames
from fecontact.reference.multibody.joint_motion import JointedMotion as JointedMotion
from fecontact.reference.multibody.joint_motion import transport as transport
from fecontact.reference.friction.rod_on_disc import rigid_rod_on_disc as rigid_rod_on_disc
from fecontact.reference.multibody.heavy_top import HeavyTop as HeavyTop
from fecontact.reference.friction.mode_coupling import SkewSprings as SkewSprings
from fecontact.reference.multibody.pendulum import LargeSwing as LargeSwing
from fecontact.reference.multibody.double_pendulum import OrthogonalPendulum as OrthogonalPendulum
from fecontact.reference.contact.hertz import hertz_measures as hertz_measures
from fecontact.reference.contact.hertz import impact_restitution as impact_restitution
from fecontact.reference.contact.hertz import over_disc as over_disc
from fecontact.reference.contact.hertz import roller_dent as roller_dent
from fecontact.reference.friction.switched_friction import FrictionMotion as FrictionMotion
from fecontact.reference.friction.switched_friction import switched_spring as switched_spring
from fecontact.reference.multibody.modal_contact import QuasiStaticModes as QuasiStaticModes
from fecontact.reference.multibody.modal_contact import quasi_static as quasi_static
from fecontact.reference.multibody.modal_contact import released_constraints as released_constraints
from fecontact.reference.multibody.gearbox import GearboxConstants as GearboxConstants
from fecontact.reference.multibody.gearbox import SettledGearbox as SettledGearbox
from fecontact.reference.multibody.gearbox import gearbox_path as gearbox_path
from fecontact.reference.multibody.gearbox import settled_gearbox as settled_gearbox
from fecontact.reference.multibody.natural import NaturalBody as NaturalBody
from fecontact.reference.multibody.natural import NaturalSystem as NaturalSystem
from fecontact.reference.structures.roots import ascending_roots as ascending_roots
from fecontact.reference.structures.beam import BLEVINS_1979 as BLEVINS_1979
from fecontact.reference.structures.rotating_beam import WRIGHT_1982 as WRIGHT_1982
from fecontact.reference.friction.hysteresis import jenkins_work as jenkins_work
from fecontact.reference.structures.rubbed_disc import pad_on_disc as pad_on_disc
from fecontact.reference.friction.rubbed_tilt import RubbedTilt as RubbedTilt
from fecontact.reference.friction.rolling_hoop import hoop_first_step as hoop_first_step
from fecontact.reference.friction.sloped_block import SlopedBlock as SlopedBlock
from fecontact.reference.contact.area_friction import BLOCK_FRICTION as BLOCK_FRICTION
from fecontact.reference.contact.area_friction import PATCH_FRICTION as PATCH_FRICTION
from fecontact.reference.contact.area_friction import PATCH_INNER as PATCH_INNER
from fecontact.reference.friction.belt_swing import BeltSwing as BeltSwing
