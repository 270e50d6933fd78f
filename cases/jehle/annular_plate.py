"""Annular plate at rest and spinning (Jehle 2016).

A steel plate, simply supported on its outer edge and free inside, by two finite-element forms: a
triangular mesh with Morley's element, and Fourier harmonics with Hermite elements in the radius.
The exact frequencies come from the Bessel determinant. Seen from space, a plate that spins with
Omega has the frequencies omega_k +- k Omega; it becomes critical at Omega = omega_k / k.
"""

from dataclasses import dataclass, replace

import numpy as np
from skfem import MeshTri

import fecontact as fc

HARMONICS = 4
MODES = 20


@dataclass(frozen=True)
class AnnularPlate(fc.Parameters):
    """Jehle, appendix A.4."""

    inner_radius: float = fc.quantity(0.08, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.12, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.005, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    speed: float = fc.quantity(390.0, "rad/s", fc.POSITIVE)
    mesh: str = fc.quantity("", numerical=True)
    edge: str = fc.quantity("outer")
    cells: int = fc.quantity(32, "", fc.multiple_of(4, 8), numerical=True)
    elements: int = fc.quantity(32, "", fc.at_least(4), numerical=True)
    material = fc.derived(
        "material of the plate", lambda p: fc.Material(p.young, p.poisson, p.density)
    )


PRINTED = fc.References("""
    k0 | exact frequency, 0 nodal diameters | 557.9  | Hz | 0.05
    k1 | exact frequency, 1 nodal diameters | 1099.7 | Hz | 0.05
    k2 | exact frequency, 2 nodal diameters | 2031.8 | Hz | 0.05
    k3 | exact frequency, 3 nodal diameters | 3125.0 | Hz | 0.05
    k4 | exact frequency, 4 nodal diameters | 4397.1 | Hz | 0.05
    *  | Jehle 2016, figure 3.5, recomputed | source_notes; varied=speed
    c1 | critical speed at 1.8 mm, 1 nodal diameters | 2487.0 | rad/s | 1.0
    c2 | critical speed at 1.8 mm, 2 nodal diameters | 2298.0 | rad/s | 1.0
    c3 | critical speed at 1.8 mm, 3 nodal diameters | 2356.0 | rad/s | 1.0
    c4 | critical speed at 1.8 mm, 4 nodal diameters | 2486.0 | rad/s | 1.0
    *  | Jehle 2016, plate of appendix A.4, recomputed | source_notes; varied=thickness, speed
""")
REST = fc.References(
    {f"{k}": fc.Reference(f"frequency, {k} nodal diameters", unit="Hz") for k in range(5)},
    source="Bessel determinant",
)
SPINNING = fc.References("""
    error | largest error of the spinning spectrum | 0.0 |  |  | omega_k +- k Omega
""")
ORDER = fc.References("""
    frequencies | convergence order of the frequencies       | >= 2.0 |  | 0.2
    spectrum    | convergence order of the spinning spectrum | >= 2.0 |  | 0.2
    *           | Morley element: order 2
""")


def supported(p: AnnularPlate) -> str:
    """Which edge of the annulus is supported; the mesh of a user may name its outer edge freely."""
    return "inner" if p.edge == "inner" else "outer"


def exact(p: AnnularPlate) -> fc.Floats:
    """Lowest exact frequencies in Hz for 0 ... 4 nodal diameters."""
    edges = {"inner": "free", "outer": "free", supported(p): "simply_supported"}
    plate = (p.inner_radius, p.outer_radius, p.thickness, p.young, p.poisson, p.density)
    lowest = fc.reference.annular_plate_frequencies
    return np.array([lowest(*plate, k, **edges)[0] for k in range(HARMONICS + 1)])


def harmonic_model(p: AnnularPlate, modes: int = 2) -> fc.HarmonicModel:
    """Plate in Fourier harmonics, reduced."""
    supports = {supported(p): "simply_supported"}
    sizes = p.inner_radius, p.outer_radius, p.thickness
    plate = fc.HarmonicPlate(*sizes, p.material, supports, p.elements)
    return fc.reduce_harmonic(plate, 0.5 * (p.inner_radius + p.outer_radius), HARMONICS, modes)


def meshes(p: AnnularPlate) -> list[MeshTri]:
    """Three meshes of the annulus, each twice as fine as the last, or the mesh of the user."""
    if p.mesh:
        mesh = fc.load_mesh(p.mesh)
        radii = np.hypot(*mesh.p[:2])
        if not np.allclose((radii.min(), radii.max()), (p.inner_radius, p.outer_radius), rtol=0.01):
            raise fc.InputError(
                f"mesh '{p.mesh}' spans the radii {radii.min():.4g} m to {radii.max():.4g} m: "
                "set inner_radius and outer_radius to these values"
            )
        return [mesh]
    sizes = (p.cells // 4, p.cells // 2, p.cells)
    return [fc.annulus(p.inner_radius, p.outer_radius, n, 8 * n) for n in sizes]


def split(rest: fc.Floats, k: fc.Integers, speed: float) -> fc.Floats:
    """Exact spectrum in space, |omega_k +- k Omega|, from frequencies at rest, in Hz."""
    shift = k * speed / (2.0 * np.pi)
    return np.sort(np.abs(np.concatenate([rest + shift, (rest - shift)[k > 0]])))


def spectrum_error(found: fc.Floats, expected: fc.Floats, speed: float) -> float:
    """Largest error, relative to the frequency and the spin, which a still wave needs."""
    return float(np.max(np.abs(np.sort(found) - expected) / (expected + speed / (2.0 * np.pi))))


def nodal_diameters(mesh: MeshTri, shapes: fc.Floats) -> fc.Integers:
    """Dominant harmonic of mode shapes (vertices, modes), by projection on e^{i k phi}."""
    phi = np.arctan2(mesh.p[1], mesh.p[0])
    x, y = mesh.p[:, mesh.t]
    area = np.abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]))
    weights = np.bincount(mesh.t.ravel(), np.tile(area, 3))
    waves = np.exp(1j * np.outer(np.arange(3 * HARMONICS), phi)) * weights
    content = np.abs(waves @ shapes) ** 2
    content[0] *= 0.5  # cosine and sine share the content of k > 0
    return content.argmax(axis=0)


def by_mesh(p: AnnularPlate, mesh: MeshTri) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
    """Frequencies at rest (k = 0 ... 4), spectrum in space from the raw 2-D integrals, shapes."""
    plate = fc.KirchhoffPlate(mesh, p.thickness, p.material, {p.edge: "simply_supported"})
    omega, X = fc.vibration_modes(plate.stiffness, plate.mass, plate.free, MODES)
    shapes = X[plate.basis.nodal_dofs[0]]
    k = nodal_diameters(mesh, shapes)
    found = [np.flatnonzero(k == wanted)[: 1 if wanted == 0 else 2] for wanted in range(5)]
    if any(len(pair) < min(wanted + 1, 2) for wanted, pair in enumerate(found)):
        raise fc.SolverError(
            f"the first {MODES} modes do not contain pairs with 1 to {HARMONICS} nodal diameters; "
            "refine the mesh or choose a wider annulus"
        )
    kept = np.concatenate(found)
    B, S = (X[:, kept].T @ (matrix @ X[:, kept]) for matrix in plate.rotation)
    K = np.diag(omega[kept] ** 2) - p.speed**2 * S
    z, _ = fc.quadratic_eigenpairs(np.eye(len(kept)), p.speed * (B - B.T), K)
    lowest = [pair[0] for pair in found]
    in_space = np.sort(np.abs(z.imag))[::2] / (2.0 * np.pi)
    return omega[lowest] / (2.0 * np.pi), in_space, shapes[:, lowest]


def mode_files(
    run: fc.Run[AnnularPlate], mesh: MeshTri, frequencies: fc.Floats, shapes: fc.Floats
) -> None:
    """Write the mode shapes of the finest mesh for ParaView, and their gallery."""
    modes = {
        f"{k} nodal diameters, {frequencies[k]:.1f} Hz": np.column_stack([0.0 * w, 0.0 * w, w])
        for k, w in enumerate(shapes.T)
    }
    about = {"amplitude": 0.1 * run.parameters.outer_radius, "title": "modes of the plate at rest"}
    picture = fc.view.triangles(mesh)
    run.attach(fc.view.save_real_modes(run.out, picture, modes, signed=True, **about))


def main(run: fc.Run[AnnularPlate]) -> None:
    """Frequencies at rest, spectrum in space, critical speeds."""
    p = run.parameters
    rest, thin = exact(p), exact(replace(p, thickness=0.0018)) * 2.0 * np.pi
    computed = {f"k{k}": rest[k] for k in range(HARMONICS + 1)}
    computed |= {f"c{k}": thin[k] / k for k in range(1, HARMONICS + 1)}
    run.compare(PRINTED, computed, method="Bessel determinant")
    harmonic_checks(run, rest)
    mesh_checks(run, rest)
    campbell(run, thin / (2.0 * np.pi))


def compared(
    run: fc.Run[AnnularPlate], found: fc.Floats, rest: fc.Floats, error: float, method: str
) -> None:
    """Rows of the frequencies at rest."""
    pairs = {f"{k}": (found[k], rest[k]) for k in range(HARMONICS + 1)}
    about = {f"{k}": error * rest[k] for k in range(HARMONICS + 1)}
    run.compare(REST, pairs, tolerances=about, method=method)


def harmonic_checks(run: fc.Run[AnnularPlate], rest: fc.Floats) -> None:
    """Harmonic form: frequencies and spinning spectrum to 1e-6."""
    p = run.parameters
    model = harmonic_model(p)
    families = [model.frequencies_of(k) / (2.0 * np.pi) for k in range(HARMONICS + 1)]
    compared(run, np.array([family[0] for family in families]), rest, 1e-6, "harmonic")
    for k, value in enumerate(rest):
        families[k][0] = value
    k = np.repeat(np.arange(HARMONICS + 1), [len(family) for family in families])
    expected = split(np.concatenate(families), k, p.speed)
    disc = fc.System([fc.SpinningDisc("plate", model, p.speed)])
    found = fc.complex_modes(fc.linearise(disc, disc.rest())).frequency
    error = {"error": spectrum_error(found, expected, p.speed)}
    run.compare(SPINNING, error, tolerances={"error": 1e-6}, method="harmonic")


def mesh_checks(run: fc.Run[AnnularPlate], rest: fc.Floats) -> None:
    """Triangular meshes: error below 0.3 % on the finest (1 % on the coarser of the quick form)."""
    p, error = run.parameters, 0.01 if run.quick else 0.003
    grids = meshes(replace(p, cells=max(p.cells // 2 // 4 * 4, 8)) if run.quick else p)
    results = [by_mesh(p, mesh) for mesh in grids]
    errors = np.array([np.abs(found / rest - 1.0) for found, _, _ in results])
    expected = split(rest, np.arange(HARMONICS + 1), p.speed)
    spin = np.array([spectrum_error(found, expected, p.speed) for _, found, _ in results])
    compared(run, results[-1][0], rest, error, "2-D Morley")
    about, method = {"error": error}, "2-D Morley, raw integrals"
    run.compare(SPINNING, {"error": spin[-1]}, tolerances=about, method=method)
    mode_files(run, grids[-1], results[-1][0], results[-1][2])
    if len(grids) < 2:
        run.leave_out(ORDER, "one mesh shows no order of convergence")
        return
    worst = errors.max(axis=1)
    orders = {
        "frequencies": np.log2(worst[-2] / worst[-1]),
        "spectrum": np.log2(spin[-2] / spin[-1]),
    }
    run.compare(ORDER, orders, method="2-D Morley")
    size = np.sqrt([np.pi * (p.outer_radius**2 - p.inner_radius**2) / g.nelements for g in grids])
    curves = {f"{k} nodal diameters": errors[:, k] for k in range(HARMONICS + 1)}
    curves["spinning spectrum"] = spin
    run.figure("convergence", fc.view.convergence_plot(size, curves, order=2.0))


def campbell(run: fc.Run[AnnularPlate], rest: fc.Floats) -> None:
    """Spectrum in space of the plate of 1.8 mm over the speed."""
    speeds, found = np.linspace(0.0, 3000.0, 61), []
    plate = harmonic_model(replace(run.parameters, thickness=0.0018), modes=1)
    lines = np.array([split(rest, np.arange(HARMONICS + 1), speed) for speed in speeds])
    for speed in speeds:
        disc = fc.System([fc.SpinningDisc("plate", plate, speed)])
        frequency = fc.complex_modes(fc.linearise(disc, disc.rest())).frequency
        found.append(np.sort(frequency[frequency >= 0.0])[: lines.shape[1]])
    run.figure("campbell", fc.view.spectrum_plot(speeds, np.array(found), lines))


CASE = fc.Case(__doc__, ("Jehle T5", "Jehle T6"), AnnularPlate(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
