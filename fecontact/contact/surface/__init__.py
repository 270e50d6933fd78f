"""Slave surfaces: contact points with weights, analytic patches, gap fields."""
