"""Compiled contact with the face of a spinning plate."""
