"""Hysteresis loop of a result, and the work in it.

python postprocess/hysteresis.py out/run.h5 block.ux facing.friction_force.x [--start 0.1]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import fecontact as fc


def in_words(unit: str) -> str:
    """Unit as it stands behind a slash."""
    return f"({unit})" if set(unit) & set("/ ") else unit


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
        shown = fc.Result.load(options.result).between(options.start, options.end)
        x, force = shown.signal(options.displacement), shown.signal(options.force)
        units = [in_words(shown.unit(name)) for name in (options.displacement, options.force)]
    except fc.InputError as error:
        parser.error(str(error))
    work = f"{np.trapezoid(force, x):.6g} {units[1]} {units[0]}"
    target = options.out or options.result.with_name(f"{options.result.stem}_hysteresis.png")
    labels = f"{options.displacement} / {units[0]}", f"{options.force} / {units[1]}"
    span = f"{shown.t[0]:g} s to {shown.t[-1]:g} s"
    figure = fc.view.loops_plot([(span, {f"work {work}": (x, force)}, {})], *labels)
    target = fc.view.save_figure(figure, target.parent, target.name)
    print(f"wrote {target}; work along the path {work}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
