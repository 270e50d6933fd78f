"""Classic plates: circular, annular and square ones, thin and thick, at rest and spinning.

Thin annular plates by harmonic elements against the tables of Vogel and Skinner (1965) in Leissa's
monograph; thin circular plates by Morley triangles; square Mindlin plates by the heterosis element
against Navier's exact solution and Ritz values of Dawe and Roufaeil (1980); and the spinning disc,
whose centrifugal stress makes a free disc tilt with its own speed and, without bending stiffness,
vibrate as found by Lamb and Southwell (1921).
"""

from dataclasses import dataclass

import numpy as np
from skfem import MeshQuad, MeshTri

import fecontact as fc

NU = 0.3
RATIOS = (0.1, 0.3, 0.5, 0.7, 0.9)
ANNULAR = {
    ("free", "free", 0): (8.77, 8.36, 9.32, 13.2, 34.9),
    ("free", "free", 2): (5.30, 4.91, 4.28, 3.57, 2.94),
    ("free", "free", 3): (12.4, 12.26, 11.4, 9.86, 8.14),
    ("free", "simply_supported", 0): (4.86, 4.66, 5.07, 6.94, 17.8),
    ("free", "clamped", 0): (10.2, 11.4, 17.7, 43.1, 360.0),
    ("simply_supported", "simply_supported", 0): (14.5, 21.1, 40.0, 110.0, 988.0),
    ("clamped", "clamped", 0): (27.3, 45.2, 89.2, 248.0, 2237.0),
    ("clamped", "free", 0): (4.23, 6.66, 13.0, 37.0, 345.0),
    ("clamped", "free", 2): (5.62, 7.96, 14.7, 39.3, 347.0),
}
CIRCULAR = {
    ("clamped", 0): (10.2158, "Leissa 1969"),
    ("simply_supported", 0): (4.93515, "Leissa and Narita 1980"),
    ("simply_supported", 1): (13.8982, "Leissa and Narita 1980"),
    ("simply_supported", 2): (25.6133, "Leissa and Narita 1980"),
}
IRIE = {
    ("clamped", 0.1, 0): (9.941, 36.479),
    ("clamped", 0.2, 0): (9.240, 30.211),
    ("simply_supported", 0.1, 0): (4.894, 28.240),
    ("free", 0.1, 0): (8.868, 36.041),
}
SIDES = ("left", "right", "bottom", "top")


@dataclass(frozen=True)
class ClassicPlates(fc.Parameters):
    """Size and material of the plates; Poisson's ratio is 0.3, that of the tables."""

    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.002, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    elements: int = fc.quantity(40, "", fc.at_least(8), numerical=True)
    cells: int = fc.quantity(16, "", fc.multiple_of(4, 8), numerical=True)
    material = fc.derived("material of the plates", lambda p: fc.Material(p.young, NU, p.density))
    data = fc.derived(
        "thickness and material constants, in the order of the closed forms",
        lambda p: (p.thickness, p.young, NU, p.density),
    )
    shear_speed = fc.derived(
        "sqrt(G/rho) in m/s", lambda p: float(np.sqrt(p.young / (2.0 * (1.0 + NU) * p.density)))
    )

    @property
    def unit(self) -> float:
        """Return sqrt(D/(rho h))/a^2 in rad/s."""
        D = self.material.bending_stiffness(self.thickness)
        return float(np.sqrt(D / (self.density * self.thickness)) / self.radius**2)


REFERENCES = fc.References("""
    deviation | largest deviation | 0.0 |  | 0.006 |                    | formula
    error     | largest error     | 0.0 |  | 1e-5  | Bessel determinant | closed_form
    *         | Vogel and Skinner 1965, 3 digits | published
    bessel | circular plate |  |  | 1e-5 rel |  | formula; method=Bessel
    morley | circular plate |  |  | 0.02 rel |  | formula; method=Morley
    thick  | thick disc     | 0.0 |  | 6e-4 | Irie et al. 1980 | formula; method=Bessel
    *      | tables | published
    square | square plate | 0.0 |  |  | Navier | closed_form
    upper  | clamped square plate: largest ratio to the Ritz values | <= 1.0 |  |  |  | formula
    lower  | clamped square plate: smallest ratio to the Ritz values | >= 0.99 |  |  |  | formula
    *      | Dawe and Roufaeil 1980: upper bounds, h/a = 0.1 | published; method=heterosis
    tilt     | tilt of the free spinning disc over its speed | 1.0 |  | 1e-4
    membrane | membrane disc over its speed                  |     |  | 0.002 rel
        | Lamb and Southwell 1921 | published; formula; method=hole of 1 %
    *        | rigid body
    convergence | convergence order of the square plate | >= |  | 0.2 | Navier
""")


def main(run: fc.Run[ClassicPlates]) -> None:
    """All plates."""
    annular(run)
    circular(run)
    thick_circular(run)
    square(run)
    convergence(run)
    spinning(run)


def annular(run: fc.Run[ClassicPlates]) -> None:
    """Thin annular plates, inner-outer edge: lowest frequency for up to five radius ratios."""
    p = run.parameters
    shown = slice(1, 4) if run.quick else slice(None)
    for (inner, outer, k), published in ANNULAR.items():
        edges = {"inner": inner, "outer": outer}
        supports = {edge: kind for edge, kind in edges.items() if kind != "free"}
        found, closed = [], []
        for ratio in RATIOS[shown]:
            hole = ratio * p.radius
            plate = fc.HarmonicPlate(hole, p.radius, p.thickness, p.material, supports, p.elements)
            omega, _ = fc.vibration_modes(plate.stiffness(k), plate.mass(k), plate.free, 2)
            found.append(omega[omega > 0.3 * p.unit][0] / p.unit)
            exact = fc.reference.annular_plate_frequencies(hole, p.radius, *p.data, k, **edges)
            closed.append(2.0 * np.pi * exact[0] / p.unit)
        label = f"annulus {inner}-{outer}, {k} diameters".replace("_", " ")
        run.row(REFERENCES, "deviation", largest(found, published[shown]), label=label)
        run.row(REFERENCES, "error", largest(found, closed), label=label)


def circular(run: fc.Run[ClassicPlates]) -> None:
    """Thin circular plates on triangles; the polygon and Morley's element err by order 2."""
    p = run.parameters
    mesh = fc.disc(p.radius, p.cells // 2, 4 * p.cells)
    for edge in ("clamped", "simply_supported"):
        plate = fc.KirchhoffPlate(mesh, p.thickness, p.material, {"outer": edge})
        omega, X = fc.vibration_modes(plate.stiffness, plate.mass, plate.free, 6)
        for n, value, source in ((n, *row) for (kind, n), row in CIRCULAR.items() if kind == edge):
            exact = fc.reference.circular_plate_frequencies(p.radius, *p.data, n, edge=edge)[0]
            nearest = omega[np.argmin(np.abs(omega / p.unit - value))] / p.unit
            about = {"label": f"{edge}, {n} diameters".replace("_", " "), "source": source}
            run.row(REFERENCES, "bessel", 2.0 * np.pi * float(exact) / p.unit, value, **about)
            run.row(REFERENCES, "morley", nearest, value, **about)
    mode_files(run, plate, omega, X)


def thick_circular(run: fc.Run[ClassicPlates]) -> None:
    """Frequency determinant of Mindlin's circular plate."""
    for (edge, h, n), published in IRIE.items():
        unit = 1.0, h, 12.0 * (1.0 - NU**2), NU, 1.0
        f = fc.reference.circular_plate_frequencies(*unit, n, 2, edge=edge, theory="mindlin")
        error = np.abs(2.0 * np.pi * f / h - published).max()
        label = f"{edge}, h/a = {h:g}: largest deviation".replace("_", " ")
        run.row(REFERENCES, "thick", error, label=label)


def mindlin(p: ClassicPlates, cells: int, h: float, support: str, factor: float) -> fc.Floats:
    """First four frequencies of the unit square of thickness h: omega a sqrt(rho/G)."""
    side = np.linspace(0.0, 1.0, cells + 1)
    mesh = MeshQuad.init_tensor(side, side).with_defaults()
    plate = fc.MindlinPlate(mesh, h, p.material, dict.fromkeys(SIDES, support), shear_factor=factor)
    return fc.vibration_modes(plate.stiffness, plate.mass, plate.free, 4)[0] / p.shear_speed


def navier(p: ClassicPlates, h: float) -> fc.Floats:
    """Exact frequencies of the simply supported unit square, omega a sqrt(rho/G)."""
    D, m = p.material.bending_stiffness(h), p.density * h
    shear = 5.0 / 6.0 * p.density * p.shear_speed**2 * h
    k = np.pi * np.sqrt([2.0, 5.0, 5.0, 8.0])
    f = [fc.reference.shear_flexible_frequency(x, D, m, shear, m * h**2 / 12.0) for x in k]
    return 2.0 * np.pi * np.array(f) / p.shear_speed


def square(run: fc.Run[ClassicPlates]) -> None:
    """Square Mindlin plates from thick to thin: no shear locking."""
    p = run.parameters
    for h, tolerance in ((0.1, 1e-4), (0.01, 1e-4), (0.001, 1e-3)):
        found = mindlin(p, p.cells, h, "hard_simply_supported", 5.0 / 6.0)
        label = f"h/a = {h:g}: largest of four errors"
        value = largest(found, navier(p, h))
        run.row(REFERENCES, "square", value, tolerance=tolerance, label=label)
    ritz = np.array([1.594, 3.046, 3.046, 4.285])
    clamped = mindlin(p, p.cells, 0.1, "clamped", 0.8601) / ritz
    run.compare(REFERENCES, {"upper": clamped.max(), "lower": clamped.min()}, part=True)


def convergence(run: fc.Run[ClassicPlates]) -> None:
    """Order of the fundamental frequency of the simply supported square."""
    p = run.parameters
    cells = p.cells // 4 * np.array([1, 2, 4])
    curves: dict[str, list[float]] = {"heterosis, h/a = 0.1": [], "Morley": []}
    h = 0.01
    kirchhoff = 2.0 * np.pi**2 * np.sqrt(p.material.bending_stiffness(h) / (p.density * h))
    for n in cells:
        thick = mindlin(p, n, 0.1, "hard_simply_supported", 5.0 / 6.0)[0] / navier(p, 0.1)[0]
        side = np.linspace(0.0, 1.0, 2 * n + 1)
        mesh = MeshTri.init_tensor(side, side).with_defaults()
        plate = fc.KirchhoffPlate(mesh, h, p.material, dict.fromkeys(SIDES, "simply_supported"))
        thin = fc.vibration_modes(plate.stiffness, plate.mass, plate.free, 1)[0][0] / kirchhoff
        curves["heterosis, h/a = 0.1"].append(abs(thick - 1.0))
        curves["Morley"].append(abs(thin - 1.0))
    for (label, errors), order in zip(curves.items(), (4.0, 2.0), strict=True):
        run.row(REFERENCES, "convergence", np.log2(errors[-2] / errors[-1]), order, method=label)
    lines = {label: np.array(errors) for label, errors in curves.items()}
    run.figure("convergence", fc.view.convergence_plot(1.0 / cells, lines, order=4.0))


def spinning(run: fc.Run[ClassicPlates]) -> None:
    """Centrifugal stress: tilt of the free disc, and the disc without bending stiffness."""
    p = run.parameters
    plate = fc.HarmonicPlate(0.5 * p.radius, p.radius, p.thickness, p.material, {}, p.elements)
    speed = 500.0
    K = plate.stiffness(1) + speed**2 * plate.geometric_stiffness(1)
    tilt = fc.vibration_modes(K, plate.mass(1), plate.free, 1)[0][0]
    run.row(REFERENCES, "tilt", tilt / speed)
    hub = fc.HarmonicPlate(0.01 * p.radius, p.radius, p.thickness, p.material, {}, 2 * p.elements)
    for n, s in ((2, 0), (3, 0), (0, 1), (1, 1), (2, 1)):
        omega, _ = fc.vibration_modes(hub.geometric_stiffness(n), hub.mass(n), hub.free, 2)
        exact = fc.reference.spinning_membrane_frequency(NU, n, s)
        run.row(REFERENCES, "membrane", omega[s], exact, label=f"{n} diameters, {s} circles")


def largest(
    found: list[float] | fc.Floats, reference: tuple[float, ...] | list[float] | fc.Floats
) -> float:
    """Largest relative deviation."""
    return float(np.abs(np.divide(found, reference) - 1.0).max())


def mode_files(
    run: fc.Run[ClassicPlates], plate: fc.KirchhoffPlate, omega: fc.Floats, X: fc.Floats
) -> None:
    """Write four modes of the simply supported circular plate, and their gallery."""
    geometry = plate.geometry
    fields = {
        f"mode {i + 1}, {omega[i] / (2 * np.pi):.1f} Hz": (geometry.shape @ X[:, i]).reshape(-1, 3)
        for i in (0, 1, 3, 5)
    }
    about = {"amplitude": 0.15 * run.parameters.radius, "title": "simply supported circular plate"}
    run.attach(fc.view.save_real_modes(run.out, fc.view.shape_of(geometry), fields, **about))


VERIFIES = (
    "Vogel and Skinner 1965",
    "Leissa and Narita 1980",
    "Irie 1980",
    "Dawe and Roufaeil 1980",
    "Lamb and Southwell 1921",
)
CASE = fc.Case(__doc__, VERIFIES, ClassicPlates(), main, quick_s=10)

if __name__ == "__main__":
    CASE.main(__file__)
