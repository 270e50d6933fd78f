"""Pictures and files to look at: VTK for ParaView, PyVista scenes, matplotlib plots, tables."""
