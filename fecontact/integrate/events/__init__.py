"""Event-driven method: smooth laws between located switches."""
