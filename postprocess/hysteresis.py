"""Hysteresis loop of a result, and the work in it.

python postprocess/hysteresis.py out/run.h5 block.ux facing.friction_force.x [--start 0.1]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from fecontact.errors import InputError
from fecontact.results import Result
from fecontact.view.contact import loops_plot
from fecontact.view.gallery import signal, unit_of
from fecontact.view.plots import save


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("displacement", help="name, as body.dof")
    parser.add_argument("force", help="name, as contact.friction_force.x")
    parser.add_argument("--start", type=float, default=float("-inf"), help="first time in s")
    parser.add_argument("--end", type=float, default=float("inf"), help="last time in s")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    try:
        shown = Result.load(options.result).between(options.start, options.end)
        x, force = signal(shown, options.displacement), signal(shown, options.force)
        units = unit_of(shown, options.displacement), unit_of(shown, options.force)
    except InputError as error:
        parser.error(str(error))
    work = f"{np.trapezoid(force, x):.6g} {units[1]} {units[0]}"
    target = options.out or options.result.with_name(f"{options.result.stem}_hysteresis.png")
    labels = f"{options.displacement} / {units[0]}", f"{options.force} / {units[1]}"
    span = f"{shown.t[0]:g} s to {shown.t[-1]:g} s"
    save(loops_plot([(span, {f"work {work}": (x, force)}, {})], *labels), target)
    print(f"wrote {target}; work along the path {work}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
