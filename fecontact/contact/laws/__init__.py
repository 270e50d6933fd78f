"""Normal laws, friction laws and friction coefficients, one file each."""
