"""Steel strip with a rectangular section as solid, finer towards its clamped end: beam.inp.

400 mm x 20 mm x 4 mm, 20-node hexahedra (C3D20) for fecontact, CalculiX and Abaqus. It needs no
mesh generator besides fecontact.

Run `python meshes/beam.py`.
"""

from __future__ import annotations

from pathlib import Path

from fecontact.mesh import Towards, block, save_mesh

LENGTH, WIDTH, HEIGHT = 0.4, 0.02, 0.004


def main() -> None:
    """Write beam.inp next to this script."""
    along = Towards((0.0,), ratio=4.0)
    mesh = block(LENGTH, WIDTH, HEIGHT, (40, 2, 1), order=2, grading=(along, 1.0, 1.0))
    save_mesh(mesh, Path(__file__).with_suffix(".inp"))


if __name__ == "__main__":
    main()
