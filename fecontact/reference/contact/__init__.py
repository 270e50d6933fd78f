"""Contact of solids and surfaces: Hertz, punches, facings, areas that slide."""
