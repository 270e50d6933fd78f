"""Animate a mode that a case has written: GIF from a `.pvd` series, off-screen.

python postprocess/animate_mode.py out/elastic_disc/squeal_mode.pvd [--out mode.gif]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import fecontact as fc

os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")


def animate(series: Path, target: Path, fraction: float = 0.08) -> None:
    """Write a GIF; the largest displacement is drawn as a fraction of the largest dimension."""
    import numpy as np
    import pyvista as pv

    meshes = [pv.read(file) for _, file in fc.view.read_times(series)]
    largest = max(float(np.abs(mesh["displacement"]).max()) for mesh in meshes)
    axial = max(float(np.abs(mesh["displacement"][:, 2]).max()) for mesh in meshes)
    length = max(meshes[0].length, 1e-9)
    plotter = pv.Plotter(off_screen=True, window_size=(640, 480))
    plotter.open_gif(str(target), fps=12)
    for mesh in meshes:
        plotter.clear()
        mesh["axial displacement / largest"] = mesh["displacement"][:, 2] / axial
        warped = mesh.warp_by_vector("displacement", factor=fraction * length / largest)
        for body in np.unique(mesh["body"]):
            part = warped.threshold((body, body), scalars="body")
            style = {"color": "dimgray", "opacity": 0.55} if body else {
                "scalars": "axial displacement / largest", "cmap": "coolwarm", "clim": (-1, 1),
            }  # fmt: skip
            plotter.add_mesh(part, **style)
        plotter.camera_position = "iso"
        plotter.write_frame()
    plotter.close()


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if not options.series.is_file():
        print(f"error: '{options.series}' does not exist; run a case first", file=sys.stderr)
        return 2
    target = options.out or options.series.with_suffix(".gif")
    animate(options.series, target)
    print(f"wrote {target}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
