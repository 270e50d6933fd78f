"""How far the theory of a system bears: frequencies, deformation, penetration."""
