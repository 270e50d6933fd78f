"""Cost of one operating point of the elastic disc, as a multiple of the bare LAPACK call.

    python benchmarks/operating_point.py

One point is: system from parameters, steady state (started from its neighbour), linearisation and
complex modes. The limit is `scipy.linalg.eig` of a companion matrix of the same size, measured in
the same run on one thread.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import scipy.linalg as la
from threadpoolctl import threadpool_limits

import fecontact as fc
from fecontact.analysis import sweep
from fecontact.case.registry import load_module


def best(function, repeats=5):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    disc = load_module("jehle/elastic_disc")
    p = disc.ElasticDisc()
    speeds = np.linspace(310.0, 480.0, 100)
    print(f"{'basis':8}{'unknowns':>10}{'ms/point':>10}{'ms/eig':>10}{'ratio':>8}")
    for basis, model in (
        ("Ritz", fc.ritz_harmonic(disc.plate(p))),
        ("FE", fc.reduce_harmonic(disc.plate(p), p.contact_radius)),
    ):
        size = 3 + model.size
        with threadpool_limits(1):
            point = best(
                lambda m=model: sweep(
                    lambda speed: disc.build(replace(p, plate_speed=speed), m), speeds, "benchmark"
                ),
                repeats=3,
            ) / len(speeds)
            A = np.random.default_rng(0).standard_normal((2 * size, 2 * size))
            eig = best(lambda a=A: la.eig(a), repeats=20)
        print(f"{basis:8}{size:10}{1e3 * point:10.2f}{1e3 * eig:10.2f}{point / eig:8.1f}")


if __name__ == "__main__":
    main()
