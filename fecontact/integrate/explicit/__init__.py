"""Central differences with return mapping."""
