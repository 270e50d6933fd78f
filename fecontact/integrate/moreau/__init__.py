"""Time stepping with impacts and set-valued friction."""
