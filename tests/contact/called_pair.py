"""A contact pair over time steps as a compiled function, called by its address."""

from __future__ import annotations

import numpy as np
from slaves_on_masters import H, T

from fecontact.contact.evaluate.lowered.step import history_parts
from fecontact.kernels.calls import call_block
from fecontact.kernels.lowered import BEGIN, RECORD, STEP, TIME, record_size


class Called:
    """A lowered pair with its record."""

    def __init__(self, pair):
        self.low, self.pair = pair.lowered_steps(), pair
        self.n_q = sum(len(body.reference()) for body in pair.bodies)
        self.n = sum(len(body.dofs) for body in pair.bodies)
        size = record_size(self.n_q, self.n)
        self.w = np.full(size + self.low.memory, 7e77)  # whatever was there must not matter
        shapes = pair.surface.shapes
        parts = history_parts(pair.points, pair.columns, 0 if shapes is None else shapes.shape[2])
        self.parts = np.split(self.w[size : size + sum(parts)], np.cumsum(parts)[:-1])

    def begin(self, q, v, history):
        self.parts[0][:], self.parts[2][:] = history.z.ravel(), history.slip_totals.ravel()
        self.parts[1].view(np.int64)[:] = history.status
        self.ask(BEGIN, q, v, 0.0)

    def ask(self, task, q, v, h):
        at = RECORD + self.n_q
        self.w[STEP], self.w[RECORD:at], self.w[at : at + self.n] = h, q, v
        assert call_block(self.low.address, self.w, self.low.parameters, float(task)) == 0.0

    @property
    def history(self):
        """Internal variables, status and slip totals at the start of a step."""
        z, status, totals = self.parts[:3]
        return z.reshape(self.pair.points, -1), status.view(np.int64), totals.reshape(-1, 2)

    @property
    def force(self):
        at = RECORD + self.n_q + self.n
        return self.w[at : at + self.n]

    @property
    def tangents(self):
        n, at = self.n, RECORD + self.n_q + 2 * self.n
        return self.w[at : at + 2 * n * n].reshape(2, n, n)


def same(found, expected, what, least=0.0):
    size = np.abs(expected).max(initial=least)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * size, err_msg=what)


def started(pair, states, old):
    """A step of the pair in Python, and the pair as a compiled function at its start."""
    q0, q1, v0, v1 = states
    step = pair.begin(T, q0, v0, old).at(T + H, q1, v1, H)
    called = Called(pair)
    called.w[TIME] = T
    called.begin(q0, v0, old)
    called.w[TIME] = T + H
    return step, called
