"""Plots of a result, as its methods: `Result` derives from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["ResultPlots"]


class ResultPlots:
    """Figures of a result over time; each is written as PNG if `path` is given."""

    def plot_history(self: Any, *names: str, path: str | Path | None = None) -> Any:
        """Figure of histories over time, one panel per kind; by default the first dofs.

        Names are those of the result, "facing.pressure[3]" for a point of a field and
        "facing.force.x" for a component. All plots return a matplotlib figure, and write it as PNG
        if `path` is given.
        """
        from fecontact.view.gallery import draw

        return draw(self, "history", names, path=path)

    def plot_phase(self: Any, *names: str, path: str | Path | None = None) -> Any:
        """Figure of velocity over position of dofs."""
        from fecontact.view.gallery import draw

        return draw(self, "phase", names, path=path)

    def plot_spectrum(self: Any, *names: str, path: str | Path | None = None) -> Any:
        """Figure of amplitude spectra; beyond `valid_to` it is shaded."""
        from fecontact.view.gallery import draw

        return draw(self, "spectrum", names, path=path)

    def plot_spectrogram(self: Any, *names: str, path: str | Path | None = None) -> Any:
        """Figure of the spectrum of one signal over time, as colours."""
        from fecontact.view.gallery import draw

        return draw(self, "spectrogram", names, path=path)

    def plot_waterfall(self: Any, *names: str, path: str | Path | None = None) -> Any:
        """Figure of the spectra of one signal over time, as lines."""
        from fecontact.view.gallery import draw

        return draw(self, "waterfall", names, path=path)

    def plot_hysteresis(self: Any, x: str, force: str, path: str | Path | None = None) -> Any:
        """Figure of one signal over another, such as friction over displacement."""
        from fecontact.view.gallery import draw

        return draw(self, "hysteresis", (x, force), path=path)

    def plot_energy(self: Any, path: str | Path | None = None) -> Any:
        """Figure of the energy audit."""
        from fecontact.view.gallery import draw

        return draw(self, "energy", path=path)

    def plot_contact_states(self: Any, *contacts: str, path: str | Path | None = None) -> Any:
        """Figure of the numbers of open, sticking and sliding points over time."""
        from fecontact.view.gallery import draw

        return draw(self, "states", contacts, path=path)

    def plot_contact_map(
        self: Any,
        contact: str | None = None,
        time: float | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """Figure of status, pressure and slip of the points of a contact at a time, or the last."""
        from fecontact.view.gallery import draw

        return draw(self, "map", () if contact is None else (contact,), time, path)
