# Names of this package with their types; __init__.py imports them when they are used.
# ruff: noqa: I001

from fecontact.reference.beam import BEAM_ENDS as BEAM_ENDS
from fecontact.reference.beam import beam_frequencies as beam_frequencies
from fecontact.reference.beam import shear_flexible_frequency as shear_flexible_frequency
from fecontact.reference.rotating_beam import (
    rotating_cantilever_frequencies as rotating_cantilever_frequencies,
)
from fecontact.reference.reissner_beam import (
    rotating_reissner_frequencies as rotating_reissner_frequencies,
)
from fecontact.reference.annular_plate import annular_plate_frequencies as annular_plate_frequencies
from fecontact.reference.circular_plate import PLATE_EDGES as PLATE_EDGES
from fecontact.reference.circular_plate import SHEAR_FACTOR as SHEAR_FACTOR
from fecontact.reference.circular_plate import (
    circular_plate_frequencies as circular_plate_frequencies,
)
from fecontact.reference.thick_plate import lamb_frequency as lamb_frequency
from fecontact.reference.rotating_disc import spinning_annulus_stress as spinning_annulus_stress
from fecontact.reference.rotating_disc import (
    spinning_membrane_frequency as spinning_membrane_frequency,
)
from fecontact.reference.punch import PowerPunch as PowerPunch
from fecontact.reference.punch import flat_punch as flat_punch
from fecontact.reference.punch import half_space_displacement as half_space_displacement
from fecontact.reference.punch import sphere_exact as sphere_exact
from fecontact.reference.punch import sphere_series as sphere_series
from fecontact.reference.viscoelastic import HertzCreep as HertzCreep
from fecontact.reference.viscoelastic import LAWS as LAWS
from fecontact.reference.gear import contact_length_range as contact_length_range
from fecontact.reference.gear import mesh_frequency as mesh_frequency
from fecontact.reference.chain import HingedChain as HingedChain
from fecontact.reference.chain import Link as Link
from fecontact.reference.follower import beck_column as beck_column
from fecontact.reference.half_space import sheared_half_space as sheared_half_space
from fecontact.reference.area_friction import hertz_patch_friction as hertz_patch_friction
from fecontact.reference.link_pendulum import link_pendulum as link_pendulum
from fecontact.reference.spin_up_beam import spin_up_deflection as spin_up_deflection
from fecontact.reference.sliding_annulus import sliding_annulus as sliding_annulus
from fecontact.reference.sliding_masses import SlidingMasses as SlidingMasses
from fecontact.reference.stick_slip import stick_slip_cycle as stick_slip_cycle
from fecontact.reference.natural import NaturalBody as NaturalBody
from fecontact.reference.natural import NaturalSystem as NaturalSystem
from fecontact.reference.roots import ascending_roots as ascending_roots
