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
area_friction: hertz_patch_friction
link_pendulum: link_pendulum
spin_up_beam: spin_up_deflection
sliding_annulus: sliding_annulus
sliding_masses: SlidingMasses
stick_slip: stick_slip_cycle
natural: NaturalBody NaturalSystem
roots: ascending_roots
"""
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
