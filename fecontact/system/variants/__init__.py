"""Systems that differ from each other in some of their parameters."""
