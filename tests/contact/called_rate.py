"""A contact pair in continuous time as a compiled function, called by its address."""

from __future__ import annotations

import numpy as np

from fecontact.contact.evaluate.lowered.rate import RATE_PARTS, rate_parts
from fecontact.kernels.calls import call_block
from fecontact.kernels.lowered import RECORD, record_size


class CalledRate:
    """A lowered pair with its record."""

    def __init__(self, pair):
        self.low, self.pair = pair.lowered_rate(), pair
        self.n_q = sum(len(body.reference()) for body in pair.bodies)
        self.n = sum(len(body.dofs) for body in pair.bodies)
        size = record_size(self.n_q, self.n)
        self.w = np.full(size + self.low.memory, 7e77)  # whatever was there must not matter
        lengths = rate_parts(pair.points, pair.columns, self.n)
        own = np.split(self.w[size : size + sum(lengths)], np.cumsum(lengths)[:-1])
        self.parts = dict(zip(RATE_PARTS, own, strict=True))

    def ask(self, task, t, q, v, history):
        self.w[0] = t
        self.w[RECORD : RECORD + self.n_q] = q
        self.w[RECORD + self.n_q : RECORD + self.n_q + self.n] = v
        self.parts["z"][:] = history.z.ravel()
        self.parts["status"].view(np.int64)[:] = history.status
        assert call_block(self.low.address, self.w, self.low.parameters, float(task)) == 0.0

    def part(self, name):
        return self.parts[name].copy()

    @property
    def force(self):
        at = RECORD + self.n_q + self.n
        return self.w[at : at + self.n].copy()

    @property
    def tangents(self):
        at = RECORD + self.n_q + 2 * self.n
        return self.w[at : at + 2 * self.n**2].reshape(2, self.n, self.n).copy()
