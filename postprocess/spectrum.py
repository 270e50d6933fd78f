"""Spectrum of a signal of a result, with its highest peaks as a table.

python postprocess/spectrum.py out/run.h5 "disc.e1'" [--window flattop] [--highest 5000]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scipy.signal import find_peaks

import fecontact as fc

PEAKS = 8


def in_words(unit: str) -> str:
    """Unit as it stands behind a slash."""
    return f"({unit})" if set(unit) & set("/ ") else unit


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path)
    parser.add_argument("signal", help="name, as body.dof or contact.normal_force")
    parser.add_argument("--window", default="hann")
    parser.add_argument("--highest", type=float, default=float("inf"), help="frequency in Hz")
    parser.add_argument("--start", type=float, default=float("-inf"), help="first time in s")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    try:
        shown = fc.Result.load(options.result).between(options.start)
        x, unit = shown.signal(options.signal), in_words(shown.unit(options.signal))
        frequency, amplitude = fc.view.amplitude_spectrum(shown.t, x, options.window)
        figure = fc.view.spectrum_of_signals(
            shown.t, {options.signal: x}, unit, window=options.window, highest=options.highest,
            valid_to=shown.valid_to,
        )  # fmt: skip
    except fc.InputError as error:
        parser.error(str(error))
    target = options.out or options.result.with_name(f"{options.result.stem}_spectrum.png")
    target = fc.view.save_figure(figure, target.parent, target.name)
    peaks, _ = find_peaks(amplitude)
    peaks = peaks[frequency[peaks] <= options.highest]
    for peak in sorted(peaks, key=lambda line: -amplitude[line])[:PEAKS]:
        mark = "" if frequency[peak] <= shown.valid_to else "  beyond the validity of the bodies"
        print(f"{frequency[peak]:12.4g} Hz  {amplitude[peak]:12.4g} {unit}{mark}")
    print(f"wrote {target}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
