"""Meshes with named surfaces: generators, files, checks."""

from fecontact.mesh.beam import beam
from fecontact.mesh.block import block, rectangle
from fecontact.mesh.disc import disc, solid_disc
from fecontact.mesh.grading import Towards
from fecontact.mesh.io import load_mesh, save_mesh
from fecontact.mesh.quality import check_mesh, edge_to_thickness, measure, scaled_jacobian
from fecontact.mesh.ring import annulus, ring_sector, solid_annulus, solid_ring_sector
from fecontact.mesh.sets import boundary_facets, edges_on_nodes, node_sets, with_node_sets

__all__ = [
    "Towards",
    "annulus",
    "beam",
    "block",
    "boundary_facets",
    "check_mesh",
    "disc",
    "edge_to_thickness",
    "edges_on_nodes",
    "load_mesh",
    "measure",
    "node_sets",
    "rectangle",
    "ring_sector",
    "save_mesh",
    "scaled_jacobian",
    "solid_annulus",
    "solid_disc",
    "solid_ring_sector",
    "with_node_sets",
]
