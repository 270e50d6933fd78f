"""Sample bodies for case scripts of those who have none yet, from the meshes that are shipped."""

from __future__ import annotations

from fecontact.case.registry import mesh_folder
from fecontact.fem import FACING, STEEL, ElasticSolid
from fecontact.mesh import block, load_mesh
from fecontact.reduction import ReducedModel, reduce_model

__all__ = ["sample_body"]

MODES = 15
LAYER = 5e-11
"""Compliance in m/Pa of the layer that the scripts assume."""


def sample_body(template: str) -> ReducedModel:
    """Reduced body of a template: clutch lamella, brake pad, or steel strip."""
    if template == "clutch":
        mesh = load_mesh(mesh_folder() / "lamella.msh")
        plate = ElasticSolid(mesh, STEEL, supports={"teeth": "clamped"})
        return reduce_model(plate, "friction_top", modes=40, layer=LAYER)
    if template == "brake":
        pad = block(0.1, 0.04, 0.012, (8, 4, 2), order=2).translated((0.0, 0.1, 0.0))
        return reduce_model(
            ElasticSolid(pad, FACING, supports={"z_max": "clamped"}), "z_min", modes=MODES
        )
    strip = ElasticSolid(
        load_mesh(mesh_folder() / "beam.inp"), STEEL, supports={"x_min": "clamped"}
    )
    return reduce_model(strip, "z_max", modes=MODES)
