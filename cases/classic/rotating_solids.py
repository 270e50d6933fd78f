"""Rotating solids: a cantilever that stiffens, a free ring that grows, wobbles and stiffens.

Three-dimensional finite elements in a rotating frame against solutions that know nothing of them. A
rotating cantilever stiffens as the power series of Wright, Smith, Thresher and Wang (1982) says. A
spinning free ring grows, wobbles and stiffens as a rigid body and the plate theory of spinning
discs demand. Solids at rest are in classic/solids.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

solids = fc.load_module("classic/solids")
MOTIONS = ("flap 1", "flap 2", "lag 1")


@dataclass(frozen=True)
class RotatingSolids(solids.Solids):
    """A bar of the length L, and the ring of classic/solids at a speed."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    speed: float = fc.quantity(500.0, "rad/s", fc.POSITIVE)


REFERENCES = fc.References("""
    spinning | spinning ring in its own frame |  | rad/s | 0.005 rel
    *        | Kirchhoff plate with the stress of the spinning annulus | cross_method
    rotating    | rotating cantilever |  |  | 0.001 rel | Wright et al. 1982, power series
    growth      | growth |  | µm | 0.005 rel | Timoshenko and Goodier, rotating discs
    nutation    | nutation of the free ring over its speed |  |  | 1e-3 | rigid body: I_p/I_t
    translation | translation and precession over the speed | 0.0 |  | 2e-3 | rigid body: zero
""")


def main(run: fc.Run[RotatingSolids]) -> None:
    """Cantilever, ring, and its frequencies over the speed."""
    rotating_cantilever(run)
    spinning_ring(run)


def rotating_cantilever(run: fc.Run[RotatingSolids]) -> None:
    """Slender solid clamped on the axis: centrifugal tension stiffens it, most along the axis."""
    p = run.parameters
    width, height = 0.02 * p.length, 0.01 * p.length
    mesh = fc.block(p.length, width, height, (5 * p.cells, 1, 1))
    mesh = mesh.translated((0.0, -0.5 * width, -0.5 * height))
    solid = fc.ElasticSolid(mesh, p.slender, "hexS2", {"x_min": "clamped"})
    rotating = fc.RotatingBody(solid)
    turning = rotating.centrifugal_stiffness - rotating.spin_softening
    flap, lag = (np.sqrt(p.young / (12.0 * p.density)) * h / p.length**2 for h in (height, width))
    speeds, found = (0.0, 6.0) if run.quick else (0.0, 2.0, 6.0, 12.0), []
    for speed in speeds:
        K = solid.stiffness + (speed * flap) ** 2 * turning
        omega, X = fc.vibration_modes(K, solid.mass, solid.free, 4)
        axial = np.linalg.norm(X[2::3], axis=0) > 0.9 * np.linalg.norm(X, axis=0)
        found.append([*omega[axial][:2] / flap, omega[~axial][0] / lag])
        for motion, *pair in zip(MOTIONS, found[-1], by_series(speed, flap / lag), strict=True):
            run.row(REFERENCES, "rotating", *pair, label=f"Omega = {speed:g}, {motion}")
    x = np.linspace(0.0, max(speeds), 25)
    exact = np.array([by_series(speed, flap / lag) for speed in x]).T
    curves = {f"{name}, series": (x, y) for name, y in zip(MOTIONS, exact, strict=True)}
    dots = {
        f"{name}, solid": (speeds, y) for name, y in zip(MOTIONS, np.transpose(found), strict=True)
    }
    axes = "speed / flap unit", "frequency / own unit"
    run.figure("cantilever", fc.view.loops_plot([("rotating cantilever", curves, dots)], *axes))


def by_series(speed: float, ratio: float) -> fc.Floats:
    """Two flap frequencies and one lag frequency (3,), each in its unit sqrt(EI/m)/L^2."""
    series = fc.reference.rotating_cantilever_frequencies
    return np.append(series(speed, 2), series(speed * ratio, 1, motion="lag"))


def spinning_ring(run: fc.Run[RotatingSolids]) -> None:
    """Free ring at speed: growth, motion as a rigid body in space, stiffening by its stress."""
    p = run.parameters
    h = p.outer_radius / 110.0
    solid = solids.ring(p, h)
    rotating = fc.RotatingBody(solid)
    growth(run, rotating)
    wobble(run, rotating, h)
    still = solids.frequencies(solid, 8)[6]
    spun = solids.frequencies(solid, 14, p.speed**2 * rotating.centrifugal_stiffness)
    plate = fc.HarmonicPlate(p.inner_radius, p.outer_radius, h, p.material, {})
    for diameters in (2, 3):
        K = plate.stiffness(diameters) + p.speed**2 * plate.geometric_stiffness(diameters)
        thin = fc.vibration_modes(K, plate.mass(diameters), plate.free, 1)[0][0]
        nearest = spun[np.argmin(np.abs(spun - thin))]
        run.row(REFERENCES, "spinning", nearest, thin, label=f"{diameters} diameters")
    rise = f"the lowest frequency of the thin ring from {still:.0f} to {spun[6]:.0f} rad/s"
    run.note(f"Spinning at {p.speed:g} rad/s raises {rise}.")


def growth(run: fc.Run[RotatingSolids], rotating: fc.RotatingBody) -> None:
    """Radial growth u = r (sigma_phi - nu sigma_r)/E of both edges."""
    p, solid = run.parameters, rotating.model
    u = fc.static_displacement(solid, rotating.centrifugal_load).reshape(-1, 3)
    radius = np.hypot(*solid.nodes[:, :2].T)
    for edge in ("inner", "outer"):
        r = p.inner_radius if edge == "inner" else p.outer_radius
        at = np.isclose(radius, r)
        outward = np.einsum("ni,ni->n", u[at, :2], solid.nodes[at, :2]).mean() / r
        ring = p.inner_radius, p.outer_radius, p.density, p.poisson
        radial, hoop = fc.reference.spinning_annulus_stress(np.array([r]), *ring)
        exact = 1e6 * p.speed**2 * r * float((hoop - p.poisson * radial)[0]) / p.young
        label = f"of the {edge} edge"
        run.row(REFERENCES, "growth", 1e6 * p.speed**2 * float(outward), exact, label=label)


def wobble(run: fc.Run[RotatingSolids], rotating: fc.RotatingBody, thickness: float) -> None:
    """Rigid-body modes in the space-fixed frame: translation 0, tilt 0 and Omega I_p/I_t."""
    p, solid = run.parameters, rotating.model
    B, S = rotating.rotation
    R = solid.rigid_body_modes()[:, :5]
    K = solid.stiffness + p.speed**2 * (rotating.centrifugal_stiffness - S)
    M, G, K = (R.T @ (A @ R) for A in (solid.mass, p.speed * (B - B.T), K))
    found = np.sort(np.abs(fc.quadratic_eigenpairs(M, G, K)[0])) / p.speed
    square = 0.5 * (p.inner_radius**2 + p.outer_radius**2)
    nutation = square / (0.5 * square + thickness**2 / 12.0)
    computed = {"nutation": (found[-1], nutation), "translation": found[-3]}
    run.compare(REFERENCES, computed, part=True)


VERIFIES = ("Wright 1982 rotating cantilever", "spinning ring")
CASE = fc.Case(__doc__, VERIFIES, RotatingSolids(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
