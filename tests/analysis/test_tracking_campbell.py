"""Campbell diagram of a spinning disc: modes are followed through all crossings."""

from __future__ import annotations

import numpy as np

from fecontact.analysis import Branch, track_modes
from fecontact.body import SpinningDisc
from fecontact.system import System
from fecontact.view.stability import campbell_plot, tracks_plot


def test_waves_of_a_free_spinning_plate(ritz):
    """Digest T6: omega_k +- k Omega in the space frame, straight lines that cross each other."""
    speeds = np.linspace(20.0, 3000.0, 9)
    branch = Branch(lambda speed: System([SpinningDisc("plate", ritz, speed)]))
    tracks = track_modes(branch, speeds)
    waves = {(k, s): ritz.frequencies_of(k)[0] for k in range(5) for s in (-1, 1) if k or s > 0}
    first = tracks.eigenvalues[0].imag
    assert tracks.eigenvalues.shape == (9, len(waves))
    crossed = 0
    for (k, s), omega in waves.items():
        mode = int(np.argmin(np.abs(first - (omega + s * k * speeds[0]))))
        np.testing.assert_allclose(
            tracks.eigenvalues[:, mode].imag, omega + s * k * speeds, rtol=1e-9
        )
        crossed += int(np.any(np.diff(tracks.indices[:, mode])))
    assert crossed >= 4  # modes that have changed their place in the order of frequencies
    lines = campbell_plot(tracks, orders=(1.0, 2.0), highest=6000.0).axes[0].lines
    assert len(lines) >= 2 * len(waves)
    assert len(tracks_plot(tracks, "speed").axes) == 2
