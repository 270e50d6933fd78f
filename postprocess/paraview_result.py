"""Show a result in ParaView: bodies with exaggerated deformation, contact points by their state.

fecontact export run.h5 --vtk            writes the folder run with bodies.pvd and contacts.pvd
pvpython postprocess/paraview_result.py run [--exaggeration 500] [--state run.pvsm]

The state file opens with File, Load State. Needs ParaView only, nothing of fecontact.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from paraview import simple

MODES = {
    "0": ("open", (0.65, 0.65, 0.65)),
    "1": ("stick", (0.77, 0.09, 0.11)),
    "2": ("slip", (1.0, 0.82, 0.12)),
    "3": ("gross slip", (0.10, 0.56, 0.35)),
}


def show_bodies(file: Path, exaggeration: float, view: object) -> object:
    """Bodies, clear, warped by their elastic displacement."""
    reader = simple.PVDReader(FileName=str(file))
    warp = simple.WarpByVector(Input=reader)
    warp.Vectors = ["POINTS", "elastic displacement"]
    warp.ScaleFactor = exaggeration - 1.0
    display = simple.Show(warp, view)
    display.Opacity = 0.5
    simple.ColorBy(display, ("POINTS", "elastic displacement", "Magnitude"))
    return reader


def show_contacts(file: Path, view: object) -> object:
    """Contact points as balls in the colours of their states."""
    reader = simple.PVDReader(FileName=str(file))
    display = simple.Show(reader, view)
    display.SetRepresentationType("Points")
    display.PointSize = 10.0
    display.RenderPointsAsSpheres = 1
    simple.ColorBy(display, ("POINTS", "status"))
    table = simple.GetColorTransferFunction("status")
    table.InterpretValuesAsCategories = 1
    table.AnnotationsInitialized = 1
    table.Annotations = [text for key, (name, _) in MODES.items() for text in (key, name)]
    table.IndexedColors = [part for _, colour in MODES.values() for part in colour]
    display.SetScalarBarVisibility(view, True)
    return reader


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--exaggeration", type=float, default=1.0)
    parser.add_argument("--state", type=Path, help="write a state file")
    options = parser.parse_args()
    view = simple.CreateView("RenderView")
    readers = []
    if (options.folder / "bodies.pvd").is_file():
        readers.append(show_bodies(options.folder / "bodies.pvd", options.exaggeration, view))
    if (options.folder / "contacts.pvd").is_file():
        readers.append(show_contacts(options.folder / "contacts.pvd", view))
    if not readers:
        parser.error(f"'{options.folder}' has no bodies.pvd and no contacts.pvd")
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    simple.AnnotateTimeFilter(Input=readers[0])
    simple.ResetCamera(view)
    if options.state:
        simple.SaveState(str(options.state))
        print(f"wrote {options.state}")


if __name__ == "__main__":
    main()
