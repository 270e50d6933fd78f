"""Maps of a contact at several instants: states, pressure, slip speed, slip power, slip work.

python postprocess/contact_map.py out/run.h5 --contact facing --times 0.01 0.02
"""

from __future__ import annotations

import argparse
from pathlib import Path

import fecontact as fc


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("--contact", help="name; by default the first")
    parser.add_argument("--times", type=float, nargs="+", help="in s; by default the last")
    options = parser.parse_args()
    try:
        shown = fc.Result.load(options.result)
        for number, time in enumerate(options.times or [None]):
            target = options.result.with_name(f"{options.result.stem}_map{number}.png")
            shown.plot_contact_map(options.contact, time, target)
            print(f"wrote {target}")
    except fc.InputError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
