"""Pictures and films of bodies in space."""
