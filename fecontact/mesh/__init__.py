"""Meshes with named surfaces: generators and files."""

from fecontact.mesh.io import load_mesh, save_mesh
from fecontact.mesh.ring import annulus, solid_annulus
from fecontact.mesh.sets import boundary_facets

__all__ = ["annulus", "boundary_facets", "load_mesh", "save_mesh", "solid_annulus"]
