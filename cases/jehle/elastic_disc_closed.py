"""Squeal of an elastic friction disc with a contact that cannot open (Jehle 7.1, figure 7.6).

The large whirl of `elastic_disc_cycle` opens the contact on a part of the ring and runs at 3 % less
than the frequency of the eigenmode. Here the same whirl starts on springs that also pull: it keeps
the frequency of the eigenmode. So it is the opening that lowers the frequency, not the size of the
motion.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

cycle = fc.load_module("jehle/elastic_disc_cycle")
in_time, LimitCycle = cycle.in_time, cycle.LimitCycle

REFERENCES = fc.References("""
    closed | whirl with a contact that cannot open |  | Hz | 0.002 rel
    *      | frequency of the eigenmode | cross_method
""")


@dataclass(frozen=True)
class TwoSided:
    """Spring-damper that also pulls: a contact that cannot open; where it pulls, nothing rubs."""

    stiffness: float
    damping: float

    def pressure(self, gap: fc.Floats, gap_rate: fc.Floats) -> fc.Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        slope, pressure = np.full_like(gap, -1.0), self.stiffness * gap + self.damping * gap_rate
        return -pressure, self.stiffness * slope, self.damping * slope

    def energy(self, gap: fc.Floats) -> fc.Floats:
        """Stored energy c_n g^2/2 (p,)."""
        return np.asarray(0.5 * self.stiffness * gap**2)


def main(run: fc.Run[LimitCycle]) -> None:
    """Whirl on both bases, in the quick form on one."""
    p = run.parameters
    steps = {"Ritz": p.cycle_step} if run.quick else {"Ritz": p.cycle_step, "FE": p.fe_step}
    curves = {}
    for basis, step in steps.items():
        motion = cannot_open(run, basis, step)
        curves[basis] = 1e3 * motion.q[:, 0], 1e3 * motion.q[:, 1]
    run.figure("orbit", fc.view.phase_plane(curves, "x / mm", "y / mm", equal=True))


def cannot_open(run: fc.Run[LimitCycle], basis: str, step: float) -> fc.Result:
    """Large whirl with a contact that also pulls; its frequency."""
    p = run.parameters
    system, steady = in_time.sliding(p, basis)
    mode = in_time.leading_mode(system, steady)
    contact = next(item for item in system.items if isinstance(item, fc.EulerianPair))
    spring = contact.normal
    pulls = replace(contact, normal=TwoSided(spring.stiffness, spring.damping))
    taken = {contact.name, *(body.name for body in system.bodies)}
    loads = [item for item in system.items if item.name not in taken]
    end = (0.1 if run.quick else 0.25) * p.window
    closed, start = fc.System(system.bodies, [*loads, pulls]), mode.disturbed(steady, p.whirl)
    motion = fc.simulate(closed, end, start, "explicit", cycle.FINE, step=step)
    found = abs(in_time.slope(motion.t, in_time.centre(motion)))
    run.row(REFERENCES, "closed", found, mode.frequency, basis=basis)
    pulled = motion.contacts[contact.name][0].pressure.min()
    least = f"{1e3 * in_time.radius(motion).min():.3f} mm or more"
    pull = f"pulls with up to {abs(pulled):.3g} N/m"
    run.note(f"{basis}: the contact that cannot open whirls on {least} and {pull}.")
    return motion


VERIFIES = ("Jehle T21, contact that cannot open",)
CASE = fc.Case(__doc__, VERIFIES, LimitCycle(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
