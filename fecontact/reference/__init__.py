"""Closed-form solutions that tests and cases compare with; independent of the package's models."""
