"""Rate form: ODE solvers on coordinates, velocities and contact history."""
