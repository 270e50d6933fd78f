"""Classic solids: thick plate, free block, thin annulus, rotating cantilever, spinning ring.

Three-dimensional finite elements against solutions that know nothing of them. A thick plate on
sliding edges carries the exact waves of Rayleigh and Lamb; Mindlin's plate is near, Kirchhoff's is
not. A free block of square section has the exact mode of Lame, in which nothing stretches along
the block and no face is loaded. A thin annulus is Kirchhoff's plate. A rotating cantilever stiffens
as the power series of Wright, Smith, Thresher and Wang (1982) says. A spinning free ring grows,
wobbles and stiffens as a rigid body and the plate theory of spinning discs demand.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.transform import Rotation
from skfem import Mesh

import fecontact as fc

ORDERS = {"tet1": 2.0, "hex1": 2.0, "tet2": 4.0, "hexS2": 4.0, "hex2": 4.0}
TURN = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()


@dataclass(frozen=True)
class ClassicSolids(fc.Parameters):
    """Sizes and material; all references are formulas of them."""

    side: float = fc.quantity(0.1, "m", fc.POSITIVE)
    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    inner_radius: float = fc.quantity(0.06, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.11, "m", fc.POSITIVE)
    speed: float = fc.quantity(500.0, "rad/s", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    cells: int = fc.quantity(8, "", fc.multiple_of(4, 8), numerical=True)
    around: int = fc.quantity(64, "", fc.multiple_of(4, 8), numerical=True)
    material = fc.derived("of all", lambda p: fc.Material(p.young, p.poisson, p.density))
    slender = fc.derived(
        "same without lateral contraction, for what is compared with a bar or a beam",
        lambda p: fc.Material(p.young, 0.0, p.density),
    )
    shear_speed = fc.derived(
        "speed of shear waves sqrt(G/rho) in m/s",
        lambda p: float(np.sqrt(p.material.shear / p.density)),
    )


REFERENCES = fc.References("""
    lamb      | plate                                 |  | Hz | 0.0005 rel
    mindlin   | plate                                 |  | Hz |  | Mindlin 1951, kappa = pi^2/12
    kirchhoff | Kirchhoff over the solid at h/a = 0.2 | >= 1.1 |  |
        | a thin plate knows no shear | trend
    *         | Rayleigh and Lamb
    lame   | free block, Lame's mode                                      |     | rad/s | 0.0001 rel
    rigid  | free block, rigid over lowest elastic frequency              | 0.0 |       | 1e-5
        | rigid body: zero; root of the round-off of K
    turned | free block turned in space, largest change of 18 frequencies | 0.0 |       | 1e-9
        | invariance under rotation
    *      | Lame: sqrt(2) pi/a sqrt(G/rho)
    thin  | free annulus, h/b = 1/110, largest of five errors    | 0.0      |  | 4e-3
    thick | free annulus, h/b = 1/14, highest ratio to Kirchhoff | <= 0.995 |  |
        | shear softens a thick plate | trend
    *     | Kirchhoff, Bessel determinant
    spinning | spinning ring in its own frame |  | rad/s | 0.005 rel
    *        | Kirchhoff plate with the stress of the spinning annulus | cross_method
    order       | convergence order |  |  | 0.2 | order 2 p of a frequency, degree p
    rotating    | rotating cantilever |  |  | 0.001 rel | Wright et al. 1982, power series
    growth      | growth |  | µm | 0.005 rel | Timoshenko and Goodier, rotating discs
    nutation    | nutation of the free ring over its speed |  |  | 1e-3 | rigid body: I_p/I_t
    translation | translation and precession over the speed | 0.0 |  | 2e-3 | rigid body: zero
""")


def main(run: fc.Run[ClassicSolids]) -> None:
    """All bodies."""
    curves = bar(run) | thick_plate(run) | free_block(run)
    sizes = run.parameters.side / run.parameters.cells * np.array([4.0, 2.0, 1.0])
    run.figure("convergence", fc.view.convergence_plot(sizes, curves, order=4.0))
    thin_annulus(run)
    rotating_cantilever(run)
    spinning_ring(run)


def frequencies(solid: fc.ElasticSolid, count: int, added: csr_array | None = None) -> fc.Floats:
    """Lowest circular frequencies in rad/s, perhaps with an added stiffness."""
    K = solid.stiffness if added is None else solid.stiffness + added
    return fc.vibration_modes(K, solid.mass, solid.free, count)[0]


def refinements(p: ClassicSolids) -> tuple[int, int, int]:
    """Cells of three meshes, each twice as fine as the last."""
    return p.cells // 4, p.cells // 2, p.cells


def check_order(run: fc.Run[ClassicSolids], what: str, errors: fc.Floats, element: str) -> None:
    """Order of convergence between the two finest meshes."""
    known = ORDERS[element]
    value = np.log2(errors[-2] / errors[-1])
    run.row(REFERENCES, "order", value, known, label=what, method=element)


def bar(run: fc.Run[ClassicSolids]) -> dict[str, fc.Floats]:
    """Bar that vibrates along itself: omega = pi/(2 L) sqrt(E/rho); the order of each element."""
    p = run.parameters
    length, width = 2.0 * p.side, 0.2 * p.side
    exact = 0.5 * np.pi / length * np.sqrt(p.young / p.density)
    sliding = dict.fromkeys(("y_min", "y_max", "z_min", "z_max"), "yz")
    curves = {}
    for element in ORDERS:
        errors = []
        for n in refinements(p):
            mesh = fc.block(length, width, width, (2 * n, 1, 1), cell=element[:3])
            solid = fc.ElasticSolid(mesh, p.slender, element, {"x_min": "x", **sliding})
            errors.append(frequencies(solid, 1)[0] / exact - 1.0)
        curves[f"bar, {element}"] = np.array(errors)
        check_order(run, "bar", curves[f"bar, {element}"], element)
    return {label: curves[label] for label in ("bar, hex1", "bar, tet2", "bar, hexS2")}


def sliding_plate(p: ClassicSolids, thickness: float, cells: int) -> fc.ElasticSolid:
    """Square plate whose edges move along their normals only, so that the Lamb waves fit in."""
    mesh = fc.block(p.side, p.side, thickness, (cells, cells, cells // 2))
    edges = {"x_min": "yz", "x_max": "yz", "y_min": "xz", "y_max": "xz"}
    return fc.ElasticSolid(mesh, p.material, "hexS2", edges)


def thick_plate(run: fc.Run[ClassicSolids]) -> dict[str, fc.Floats]:
    """Mode (1, 1) of plates of growing thickness: exact solid, Mindlin, Kirchhoff."""
    p = run.parameters
    wave = np.sqrt(2.0) * np.pi / p.side
    for ratio, theory in ((0.1, 3e-3), (0.2, 7e-3)):
        h = ratio * p.side
        D, m = p.material.bending_stiffness(h), p.density * h
        shear = np.pi**2 / 12.0 * p.material.shear * h
        f = frequencies(sliding_plate(p, h, p.cells), 1)[0] / (2.0 * np.pi)
        exact = fc.reference.lamb_frequency(wave, h, p.young, p.poisson, p.density)
        run.row(REFERENCES, "lamb", f, exact, label=f"h/a = {ratio:g}")
        mindlin = fc.reference.shear_flexible_frequency(wave, D, m, shear, m * h**2 / 12.0)
        label = f"h/a = {ratio:g}, error of the theory included"
        run.row(REFERENCES, "mindlin", f, mindlin, theory * mindlin, label=label)
    kirchhoff = wave**2 * np.sqrt(D / m) / (2.0 * np.pi)
    run.row(REFERENCES, "kirchhoff", kirchhoff / f)
    solids = [sliding_plate(p, h, n) for n in refinements(p)]
    errors = np.array([frequencies(s, 1)[0] / (2.0 * np.pi * exact) - 1.0 for s in solids])
    check_order(run, "plate h/a = 0.2", errors, "hexS2")
    return {"plate h/a = 0.2, hexS2": errors}


def free_block(run: fc.Run[ClassicSolids]) -> dict[str, fc.Floats]:
    """Free block: Lame's mode, six rigid-body modes, any attitude in space."""
    p = run.parameters
    exact = np.sqrt(2.0) * np.pi / p.side * p.shear_speed
    errors = []
    for n in refinements(p):
        mesh = fc.block(p.side, p.side, 0.4 * p.side, (n, n, max(1, n // 4)))
        solid = fc.ElasticSolid(mesh, p.material, "hexS2")
        omega, X = fc.vibration_modes(solid.stiffness, solid.mass, solid.free, 24)
        likeness = (X.T @ (solid.mass @ lame_mode(solid, p.side))) ** 2
        errors.append(omega[np.argmax(likeness)] / exact - 1.0)
    run.row(REFERENCES, "lame", exact * (1.0 + errors[-1]), exact)
    check_order(run, "free block", np.array(errors), "hexS2")
    run.row(REFERENCES, "rigid", omega[5] / omega[6])
    turned = frequencies(fc.ElasticSolid(in_space(mesh, p.side), p.material, "hexS2"), 24)
    run.row(REFERENCES, "turned", np.abs(turned[6:] / omega[6:] - 1.0).max())
    block_modes(run, solid, omega, X)
    return {"free block, hexS2": np.array(errors)}


def lame_mode(solid: fc.ElasticSolid, side: float) -> fc.Floats:
    """Exact mode u = (cos kx sin ky, -sin kx cos ky, 0), k = pi/a: no dilatation, free faces."""
    x, y, _ = np.pi / side * solid.nodes.T
    return np.column_stack([np.cos(x) * np.sin(y), -np.sin(x) * np.cos(y), 0.0 * x]).ravel()


def in_space(mesh: Mesh, offset: float) -> Mesh:
    """Return the mesh turned and moved."""
    return type(mesh)(TURN @ mesh.p + offset, mesh.t)


def thin_annulus(run: fc.Run[ClassicSolids]) -> None:
    """Free annulus, thin and thick; 64 chords instead of a circle cost 0.2 %."""
    p = run.parameters
    thin, thick = (ratio_to_kirchhoff(p, p.outer_radius / part) for part in (110.0, 14.0))
    run.row(REFERENCES, "thin", np.abs(thin - 1.0).max())
    run.row(REFERENCES, "thick", thick.max())


def ratio_to_kirchhoff(p: ClassicSolids, thickness: float) -> fc.Floats:
    """Five lowest elastic frequencies (2, 2, 0, 3, 3 nodal diameters) over those of the plate."""
    plate = 2.0 * np.pi * np.sort([thin_frequency(p, thickness, k) for k in (2, 2, 3, 3, 0)])
    return frequencies(ring(p, thickness), 11)[6:] / plate


def ring(p: ClassicSolids, thickness: float) -> fc.ElasticSolid:
    """Free annulus about the plane z = 0."""
    z = 0.5 * thickness
    mesh = fc.solid_annulus(p.inner_radius, p.outer_radius, -z, z, 2, p.around)
    return fc.ElasticSolid(mesh, p.material, "hexS2")


def thin_frequency(p: ClassicSolids, thickness: float, diameters: int) -> float:
    """Lowest frequency in Hz of Kirchhoff's free annulus."""
    plate = p.inner_radius, p.outer_radius, thickness, p.young, p.poisson, p.density
    edges = {"inner": "free", "outer": "free"}
    return float(fc.reference.annular_plate_frequencies(*plate, diameters, **edges)[0])


def rotating_cantilever(run: fc.Run[ClassicSolids]) -> None:
    """Slender solid clamped on the axis: centrifugal tension stiffens it, most along the axis."""
    p = run.parameters
    width, height = 0.02 * p.length, 0.01 * p.length
    mesh = fc.block(p.length, width, height, (5 * p.cells, 1, 1))
    mesh = mesh.translated((0.0, -0.5 * width, -0.5 * height))
    solid = fc.ElasticSolid(mesh, p.slender, "hexS2", {"x_min": "clamped"})
    rotating = fc.RotatingBody(solid)
    turning = rotating.centrifugal_stiffness - rotating.spin_softening
    flap, lag = (np.sqrt(p.young / (12.0 * p.density)) * h / p.length**2 for h in (height, width))
    for speed in (0.0, 6.0) if run.quick else (0.0, 2.0, 6.0, 12.0):
        K = solid.stiffness + (speed * flap) ** 2 * turning
        omega, X = fc.vibration_modes(K, solid.mass, solid.free, 4)
        axial = np.linalg.norm(X[2::3], axis=0) > 0.9 * np.linalg.norm(X, axis=0)
        power_series = fc.reference.rotating_cantilever_frequencies
        slower = power_series(speed * flap / lag, 1, motion="lag")
        exact = {
            "flap": (omega[axial][:2] / flap, power_series(speed, 2)),
            "lag": (omega[~axial][:1] / lag, slower),
        }
        for motion, (found, series) in exact.items():
            for number, (computed, value) in enumerate(zip(found, series, strict=True), 1):
                label = f"Omega = {speed:g}, {motion} {number}"
                run.row(REFERENCES, "rotating", computed, value, label=label)


def spinning_ring(run: fc.Run[ClassicSolids]) -> None:
    """Free ring at speed: growth, motion as a rigid body in space, stiffening by its stress."""
    p = run.parameters
    h = p.outer_radius / 110.0
    solid = ring(p, h)
    rotating = fc.RotatingBody(solid)
    growth(run, rotating)
    wobble(run, rotating, h)
    still = frequencies(solid, 8)[6]
    spun = frequencies(solid, 14, p.speed**2 * rotating.centrifugal_stiffness)
    plate = fc.HarmonicPlate(p.inner_radius, p.outer_radius, h, p.material, {})
    for diameters in (2, 3):
        K = plate.stiffness(diameters) + p.speed**2 * plate.geometric_stiffness(diameters)
        thin = fc.vibration_modes(K, plate.mass(diameters), plate.free, 1)[0][0]
        nearest = spun[np.argmin(np.abs(spun - thin))]
        run.row(REFERENCES, "spinning", nearest, thin, label=f"{diameters} diameters")
    rise = f"the lowest frequency of the thin ring from {still:.0f} to {spun[6]:.0f} rad/s"
    run.note(f"Spinning at {p.speed:g} rad/s raises {rise}.")


def growth(run: fc.Run[ClassicSolids], rotating: fc.RotatingBody) -> None:
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


def wobble(run: fc.Run[ClassicSolids], rotating: fc.RotatingBody, thickness: float) -> None:
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


def block_modes(
    run: fc.Run[ClassicSolids], solid: fc.ElasticSolid, omega: fc.Floats, X: fc.Floats
) -> None:
    """Write the lowest elastic modes of the block, and their gallery."""
    modes = {
        f"mode {i - 5}, {omega[i] / (2.0 * np.pi):.0f} Hz": X[:, i].reshape(-1, 3)
        for i in range(6, 12)
    }
    about = {"amplitude": 0.1 * run.parameters.side, "title": "modes of the free block"}
    shape = fc.view.shape_of(solid.geometry)
    run.attach(fc.view.save_real_modes(run.out, shape, modes, **about))


VERIFIES = (
    "Rayleigh-Lamb plate",
    "Mindlin 1951",
    "Lame mode",
    "Kirchhoff limit",
    "Wright 1982 rotating cantilever",
    "spinning ring",
)
CASE = fc.Case(__doc__, VERIFIES, ClassicSolids(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
