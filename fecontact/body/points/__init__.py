"""Motion of many points of an elastic body at once."""
