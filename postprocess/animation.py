"""Animate a result: moving bodies, contact points red (stick), yellow (slip), green (gross slip).

python postprocess/animation.py out/run.h5 [--out run.gif] [--frames 120] [--exaggeration 500]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import fecontact as fc


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--out", type=Path, help="gif or mp4")
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--rate", type=float, default=20.0, help="pictures per second")
    parser.add_argument("--exaggeration", type=float, help="factor of the deformation")
    parser.add_argument("--start", type=float, default=float("-inf"), help="first time in s")
    parser.add_argument("--end", type=float, default=float("inf"), help="last time in s")
    options = parser.parse_args()
    target = options.out or options.result.with_suffix(".gif")
    factor = "auto" if options.exaggeration is None else options.exaggeration
    try:
        shown = fc.Result.load(options.result).between(options.start, options.end)
        reason = fc.view.animate(
            shown, target, exaggeration=factor, frames=options.frames, rate=options.rate
        )
    except fc.InputError as error:
        parser.error(str(error))
    print(f"wrote {target}" if reason is None else f"no off-screen graphics here: {reason}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
