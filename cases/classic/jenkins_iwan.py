"""Jenkins and Iwan elements from contact points, and Masing's rule.

A rigid plate lies on a plane on bristles of stiffness c and is moved to and fro along it.

Jenkins: uniform pressure, friction limit f per area A; all bristles slip together,

    F = A min(c u, f),      energy of a cycle D = 4 A f (u* - f/c) .

Iwan: the plate is tilted, so the limits are spread evenly between 0 and f_max,

    F = A c u (1 - c u/(2 f_max)),      D = (2/3) A c^2 u*^3/f_max      for c u* <= f_max .

Masing: the branches after a reversal at (u*, F*) are the first loading, twice as large,

    F = F* - 2 F_0((u* - u)/2) .

The same static solver as for finite elements follows the path of the prescribed displacement. The
plate has n x 1 points at the middle of equal cells, whose sums can be compared exactly, too.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Plate(fc.Parameters):
    """Plate of 100 x 20 mm with a soft facing."""

    length: float = fc.quantity(0.1, "m", fc.POSITIVE)
    width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    pressure: float = fc.quantity(1e6, "Pa", fc.POSITIVE)
    normal_stiffness: float = fc.quantity(1e11, "N/m^3", fc.POSITIVE)
    stiffness: float = fc.quantity(5e10, "N/m^3", fc.POSITIVE)
    mu: float = fc.quantity(0.4, "", fc.POSITIVE)
    amplitude: float = fc.quantity(12e-6, "m", fc.POSITIVE)
    points: int = fc.quantity(200, "", fc.at_least(4), numerical=True)
    increments: int = fc.quantity(40, "", fc.at_least(4), numerical=True)
    area = fc.derived("area in m^2", lambda p: p.length * p.width)
    limit = fc.derived("friction limit f in Pa at the given pressure", lambda p: p.mu * p.pressure)


REFERENCES = fc.References("""
    jenkins | Jenkins: largest error of the force | 0.0 | N | 1e-9 * p.area * p.limit
    jenkins_energy | Jenkins: energy of a cycle                     |     | J | 1e-12
    sliders | Iwan: largest error against the sum of sliders | 0.0 | N | 1e-9 * p.area * p.limit
    iwan_energy    | Iwan: energy of a cycle                        |     | J | 2e-4 rel
    iwan           | Iwan: largest error of the force               | <=  | N | 1e-6 rel
        | error A f/(2 n^2) of the midpoint rule at a kink
    *              | Jenkins 1962, Iwan 1966, Masing 1926
""")


def plate_system(p: Plate, tilted: bool, points: int, path: fc.Floats) -> fc.System:
    """Plate with even or linearly growing pressure whose displacement follows path, 1 s each."""
    position = (np.arange(points) + 0.5) / points
    depth = p.pressure / p.normal_stiffness * (2.0 * position if tilted else np.ones(points))
    xyz = np.column_stack([p.length * position, np.zeros(points), -depth])
    plate = fc.RigidBody("plate", 1.0, ("ux",))
    surface = fc.Surface(xyz, np.full(points, p.area / points))
    laws = fc.PenaltyNormal(p.normal_stiffness), fc.ElastoPlastic(p.mu, p.stiffness)
    contact = fc.ContactPair(plate, surface, fc.RigidFace(None, fc.Plane()), *laws)
    t = np.arange(len(path), dtype=float)
    still = lambda time: 0.0  # noqa: E731 - statics asks for the displacement only
    polygon = fc.MotionFunction(lambda time: float(np.interp(time, t, path)), still, still)
    drive = fc.PrescribedMotion(fc.DofCoordinate(plate, "ux"), polygon, name="drive")
    return fc.System([plate], [contact, drive])


def cycle(p: Plate, increments: int) -> fc.Floats:
    """Displacements: to the amplitude, and a full cycle; the start first."""
    down = np.linspace(1.0, -1.0, 2 * increments + 1)
    return p.amplitude * np.concatenate([np.linspace(0, 1, increments + 1), down[1:], -down[1:]])


def element(p: Plate, tilted: bool, points: int, u: fc.Floats) -> tuple[fc.Floats, float]:
    """Force that moves the plate, slip work of the last cycle."""
    problem = fc.StaticSystem(plate_system(p, tilted, points, u))
    path = fc.load_path(problem, np.arange(len(u), dtype=float))
    work, turn = path.slip_work(), (len(u) - 1) // 5
    return -path.force()[:, 0], float(work[-1] - work[turn])


def main(run: fc.Run[Plate]) -> None:
    """Jenkins exactly, Iwan exactly as a sum and converging to the integral."""
    p = run.parameters
    u = cycle(p, 10 if run.quick else p.increments)
    c, f, A, masing = p.stiffness, p.limit, p.area, fc.reference.masing
    limits = 2.0 * f * (np.arange(p.points) + 0.5) / p.points

    def iwan(x: fc.Floats) -> fc.Floats:
        fraction = np.minimum(c * x / (2.0 * f), 1.0)
        return 2.0 * f * A * fraction * (1.0 - 0.5 * fraction)

    one, one_work = element(p, False, 4, u)
    many, many_work = element(p, True, p.points, u)
    jenkins, smooth = masing(lambda x: A * np.minimum(c * x, f), u), masing(iwan, u)
    summed = masing(lambda x: A * np.minimum(c * x[:, None], limits).mean(axis=1), u)
    computed = {
        "jenkins": abs(one - jenkins).max(),
        "jenkins_energy": (one_work, 4.0 * A * f * (p.amplitude - f / c)),
        "sliders": abs(many - summed).max(),
        "iwan_energy": (many_work, A * c**2 * p.amplitude**3 / (3.0 * f)),
        "iwan": (abs(many - smooth).max(), A * f / (2.0 * p.points**2)),
    }
    run.compare(REFERENCES, computed)
    x = 1e6 * u
    loops = [("Jenkins", {"contact points": (x, one)}, {"closed form": (x, jenkins)})]
    loops += [("Iwan", {"contact points": (x, many)}, {"Masing": (x, smooth)})]
    run.figure("loops", fc.view.loops_plot(loops, "displacement / µm", "force / N"))


CASE = fc.Case(__doc__, ("Jenkins, Iwan and Masing loops",), Plate(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
