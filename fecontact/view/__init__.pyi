# Names of this package with their types; __init__.py imports them when they are used.
# ruff: noqa: I001

# curves and histories
from fecontact.view.plots import curves_plot as curves_plot
from fecontact.view.plots import convergence_plot as convergence_plot
from fecontact.view.plots import error_panels as error_panels
from fecontact.view.plots import named_dots as named_dots
from fecontact.view.plots import spectrum_plot as spectrum_plot
from fecontact.view.motion import history_panels as history_panels
from fecontact.view.motion import mechanism_panels as mechanism_panels
from fecontact.view.signals import amplitude_spectrum as amplitude_spectrum
from fecontact.view.signals import phase_plane as phase_plane
from fecontact.view.signals import spectra_over_time as spectra_over_time
from fecontact.view.signals import spectrogram_plot as spectrogram_plot
from fecontact.view.signals import spectrum_of_signals as spectrum_of_signals
from fecontact.view.signals import waterfall_plot as waterfall_plot
from fecontact.view.energy import energy_plot as energy_plot
from fecontact.view.style import new_figure as new_figure

# contact
from fecontact.view.contact import contact_map as contact_map
from fecontact.view.contact import contact_maps as contact_maps
from fecontact.view.contact import contact_states as contact_states
from fecontact.view.contact import loops_plot as loops_plot
from fecontact.view.contact import slip_maps as slip_maps

# stability and branches
from fecontact.view.plots import growth_over_frequency as growth_over_frequency
from fecontact.view.plots import sweep_plot as sweep_plot
from fecontact.view.stability import campbell_plot as campbell_plot
from fecontact.view.stability import map_plot as map_plot
from fecontact.view.stability import power_plot as power_plot
from fecontact.view.stability import tracks_plot as tracks_plot
from fecontact.view.reduction import certificate_plot as certificate_plot
from fecontact.view.reduction import reduction_study_plot as reduction_study_plot
from fecontact.view.branches import branch_panels as branch_panels

# modes, motions, files
from fecontact.view.modes import save_complex_modes as save_complex_modes
from fecontact.view.modes import save_real_modes as save_real_modes
from fecontact.view.pictures.animation import animate as animate
from fecontact.view.series import write_series as write_series
from fecontact.view.statics import write_path as write_path
from fecontact.view.vtk import hexahedra as hexahedra
from fecontact.view.vtk import read_times as read_times
from fecontact.view.vtk import shape_of as shape_of
from fecontact.view.vtk import triangles as triangles
from fecontact.view.figures import save_figure as save_figure
