"""Given loads: on points, on full finite-element bodies, on any dofs."""
