from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import chirp

from fecontact.errors import InputError
from fecontact.view.signals import (
    WINDOWS,
    amplitude_spectrum,
    phase_plane,
    spectra_over_time,
    spectrogram_plot,
    spectrum_of_signals,
    waterfall_plot,
)

T = np.arange(2000) / 1000.0


@pytest.mark.parametrize("window", WINDOWS)
def test_harmonics_on_lines_read_their_amplitudes(window):
    x = 5.0 + 0.3 * np.cos(2 * np.pi * 50.0 * T) + 2e-4 * np.sin(2 * np.pi * 200.0 * T)
    f, amplitude = amplitude_spectrum(T, x, window)
    assert f[1] == pytest.approx(0.5)
    assert amplitude[f == 50.0] == pytest.approx(0.3, rel=1e-9)
    assert amplitude[f == 200.0] == pytest.approx(2e-4, rel=1e-9)
    assert amplitude[(f > 100.0) & (f < 150.0)].max() < 1e-12 + 1e-5 * (window == "flattop")


def test_flattop_reads_the_amplitude_between_lines():
    """Its known scalloping loss is 0.01 dB; that of a boxcar 3.92 dB, of Hann 1.42 dB."""
    x = np.cos(2 * np.pi * 50.25 * T)
    loss = {w: 20 * np.log10(amplitude_spectrum(T, x, w)[1].max()) for w in WINDOWS}
    assert abs(loss["flattop"]) < 0.02
    assert loss["boxcar"] == pytest.approx(-3.92, abs=0.05)
    assert loss["hann"] == pytest.approx(-1.42, abs=0.01)


def test_spectra_over_time_follow_a_sweep():
    x = chirp(T, f0=50.0, t1=2.0, f1=250.0)
    times, f, amplitude = spectra_over_time(T, x, segment=0.1)
    crest = f[np.argmax(amplitude, axis=1)]
    np.testing.assert_allclose(crest, 50.0 + 100.0 * times, atol=10.0)
    assert len(times) <= 64
    assert times[0] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("t", "words"),
    [
        (np.array([0.0, 1.0, 2.0]), "too few"),
        (np.array([0.0, 1.0, 2.5, 3.0]), "expected equal"),
        (np.zeros(5), "expected equal"),
    ],
)
def test_uneven_times_are_refused(t, words):
    with pytest.raises(InputError, match=words):
        amplitude_spectrum(t, t)


@pytest.mark.parametrize("segment", [0.001, 3.0])
def test_impossible_segments_are_refused(segment):
    with pytest.raises(InputError, match="segment"):
        spectra_over_time(T, T, segment)
    with pytest.raises(InputError, match="window"):
        amplitude_spectrum(T, T, "round")


def test_plots_have_units_and_cut_the_frequency():
    x = np.sin(2 * np.pi * 50.0 * T)
    figure = spectrum_of_signals(T, {"a": x, "b": 2 * x}, "m", highest=100.0)
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("frequency / Hz", "amplitude / m")
    assert axes.get_yscale() == "log"
    assert max(line.get_xdata().max() for line in axes.lines) == 100.0
    for plot in (spectrogram_plot, waterfall_plot):
        axes = plot(T, x, "m", segment=0.2, highest=100.0).axes[0]
        assert axes.get_xlabel()
        assert axes.get_ylabel()


def test_a_signal_at_rest_can_be_drawn():
    figure = spectrum_of_signals(T, {"rest": np.zeros_like(T)}, "m")
    assert figure.axes[0].get_yscale() == "linear"
    spectrogram_plot(T, np.zeros_like(T), "m", segment=0.2)
    waterfall_plot(T, np.zeros_like(T), "m", segment=0.2)


def test_phase_plane_marks_start_and_end():
    figure = phase_plane({"block": (np.cos(T), -np.sin(T))}, "x / m", "v / (m/s)")
    line, start, end = figure.axes[0].lines[:3]
    assert start.get_xdata()[0] == line.get_xdata()[0]
    assert end.get_ydata()[0] == line.get_ydata()[-1]
