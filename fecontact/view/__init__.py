"""Pictures and files to look at: VTK for ParaView, PyVista scenes, matplotlib plots, tables."""

from fecontact.lazy import lazy_names

_NAMES = """
# curves and histories
plots: curves_plot convergence_plot error_panels named_dots spectrum_plot
motion: history_panels mechanism_panels
signals: amplitude_spectrum phase_plane spectra_over_time spectrogram_plot spectrum_of_signals
    waterfall_plot
energy: energy_plot
style: new_figure

# contact
contact: contact_map contact_maps contact_states loops_plot slip_maps

# stability and branches
plots: growth_over_frequency sweep_plot
stability: campbell_plot map_plot power_plot tracks_plot
reduction: certificate_plot reduction_study_plot
branches: branch_panels

# modes, motions, files
modes: save_complex_modes save_real_modes
pictures.animation: animate
series: write_series
statics: write_path
vtk: hexahedra read_times shape_of triangles
figures: save_figure
"""
_FORMER = {"wear_maps": "slip_maps"}
__all__, __getattr__, __dir__ = lazy_names(__name__, _NAMES, _FORMER)
