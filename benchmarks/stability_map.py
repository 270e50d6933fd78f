"""Cost of stability maps: points per second on one core, and points saved at the boundary.

    python benchmarks/stability_map.py [POINTS]

First the disc of Jehle's figure 7.6 (clutch 3 dofs, Ritz plate with 6 harmonics 13: 16 in all,
and the plate with 4 harmonics: 12) on a regular grid of bearing stiffness and plate speed, as a
multiple of the bare LAPACK call for the eigenvalues of a matrix of that size. Then the same plane
as a refined map of 256 x 256 cells.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np
import scipy.linalg as la
from threadpoolctl import threadpool_limits

import fecontact as fc
from fecontact.analysis.stability.map_points import evaluate_points
from fecontact.analysis.stability.maps import MapAxis, stability_map
from fecontact.case.registry import load_module


def cost(build, count):
    """CPU seconds per point of a grid of about `count` points."""
    side = int(np.sqrt(count))
    stiffness, speed = np.linspace(28e6, 36e6, side), np.linspace(310.0, 480.0, side)
    places = [(c, s) for s in speed for c in stiffness]
    evaluate_points(build, places[:5], [None] * 5)
    start = time.process_time()
    found = evaluate_points(build, places, [None] * len(places))
    elapsed = time.process_time() - start
    unstable = sum(point.label == "flutter" for point in found)
    return elapsed / len(places), unstable / len(places)


def eigenvalues_alone(size, repeats=200):
    """CPU seconds of `scipy.linalg.eigvals` of a companion matrix of this many dofs."""
    A = np.random.default_rng(0).standard_normal((2 * size, 2 * size))
    with threadpool_limits(1):
        start = time.process_time()
        for _ in range(repeats):
            la.eigvals(A, check_finite=False)
        return (time.process_time() - start) / repeats


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    disc = load_module("jehle/elastic_disc")
    p = disc.ElasticDisc()
    print(f"{'dofs':>9}{'points':>8}{'s':>8}{'ms/point':>10}{'ms/eigvals':>12}{'ratio':>8}")
    for harmonics in (4, 6):
        model = fc.ritz_harmonic(disc.plate(p), harmonics)

        def build(c, speed, model=model):
            return disc.build(replace(p, radial_stiffness=c, plate_speed=speed), model)

        size = 3 + model.size
        point, _ = cost(build, count)
        bare = eigenvalues_alone(size)
        print(
            f"{size:9}{count:8}{count * point:8.1f}{1e3 * point:10.2f}{1e3 * bare:12.3f}"
            f"{point / bare:8.1f}"
        )
    start = time.process_time()
    result = stability_map(
        build, MapAxis("radial_stiffness", 28e6, 36e6), MapAxis("plate_speed", 310.0, 480.0)
    )
    saved = np.prod(np.add(result.shape, 1)) / result.evaluations
    print(
        f"map of {result.shape[0]} x {result.shape[1]} cells: {result.evaluations} points, "
        f"{saved:.1f} times fewer than the grid, {time.process_time() - start:.1f} s CPU"
    )


if __name__ == "__main__":
    main()
