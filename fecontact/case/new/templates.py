"""Texts of the case scripts that `fecontact new` writes; `{{name}}` is filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["KINDS", "script"]

HEAD = '''"""{{title}}.

{{story}}
All numbers are a beginning: put in your own. This script is run by

    fecontact run {{file}}
    fecontact stability {{file}} --sweep friction=0.1:0.6:11
    fecontact stability {{file}} --map friction=0.1:0.6 damping=0.001:0.01
    fecontact simulate {{file}}
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import fecontact as fc

BODY = Path(__file__).parent / "{{body}}"
"""Reduced body, made by `fecontact modes`; valid up to {{hertz}} Hz."""
SURFACE = "{{surface}}"{{others}}
HEIGHT = {{height}}
"""Height z of this surface in m."""
PROBE = {{sensor}}
"""Node of the part at which its motion is read, in m."""


@dataclass(frozen=True)
class {{class}}(fc.Parameters):
    """What may be varied: `--set`, `--sweep` and `--map` take these names."""

    speed: float = fc.quantity({{speed}}, fc.NONZERO)
    load: float = fc.quantity({{load}}, "N", fc.POSITIVE)
    friction: float = fc.quantity(0.4, "", fc.NON_NEGATIVE)
    damping: float = fc.quantity(0.002, "", fc.NON_NEGATIVE)  # ratio, of all modes of the part
    layer: float = fc.quantity(2e10, "N/m^3", fc.POSITIVE)  # stiffness of lining and roughness
    mass: float = fc.quantity({{mass}}, "kg", fc.POSITIVE){{parameters}}


REFERENCES = fc.References("""
    force | normal force | p.load | N | 1e-6 rel | balance of the {{other}} | formula
""")


@cache
def model() -> fc.ReducedModel:
    """The part: a few coordinates instead of thousands."""
    return fc.load_reduced(BODY)


@cache
def contact_points() -> fc.Surface:
    """Contact points of the part with their shapes, the same for all parameters."""
    at_rest = fc.ElasticBody("part", model(), frame="fixed")
    return fc.elastic_surface(at_rest, SURFACE{{points}})

'''

SYSTEM = '''
def system(p: {{class}}) -> fc.System:
    """The part, the {{other}}, and friction between them; sensors are what results show."""
    part = fc.ElasticBody("part", model(), frame="fixed", damping=p.damping)
{{counterpart}}
    face = fc.RigidFace({{other}}, fc.Plane(normal=(0.0, 0.0, {{down}})))
    normal = fc.PenaltyNormal(p.layer, 1e-7 * p.layer)  # pressure per compression and its rate
    friction = fc.ElastoPlastic(p.friction, p.layer, 1e-6 * p.layer)  # sticks and slips
    contact = fc.ContactPair(part, contact_points(), face, normal, friction, "contact")
    load = fc.Force({{other}}, (0.0, 0.0, {{down}} * p.load), name="load")
    sensors = [
        fc.PointSensor("normal velocity", part, PROBE, "z", "velocity"),
        fc.PointSensor("sliding velocity", part, PROBE, "{{along}}", "velocity"),
        fc.LoadSensor("normal force", contact, "normal"),
        {{load_sensor}},
    ]
    return fc.System([part, {{other}}], [{{items}}, load, contact], sensors)


def main(run: fc.Run[{{class}}]) -> None:
    """Steady sliding, its pressure, its modes, and what feeds the one that grows fastest."""
    p = run.parameters
    point = fc.operating_point(system(p))
    contact, modes = point.steady.contacts["contact"], point.modes
    run.compare(REFERENCES, {"force": contact.normal_force})
    verdict = "all modes decay" if modes.stable else "it squeals"
    leading = f"{modes.leading_growth:+.4g} 1/s at {modes.leading_frequency:.5g} Hz"
    run.note(f"{verdict}: {leading}, {fc.mechanism(point.balance()) or 'no mechanism'}")
    places, statuses = contact_points().points, {"steady sliding": contact.status}
    run.figure("pressure", fc.view.contact_maps(places, contact.pressure, statuses))
    run.figure("what_feeds_it", fc.view.power_plot(point.balance()))


CASE = fc.Case(__doc__, ("a part of my own",), {{class}}(), main, quick_s=10, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
'''

ROTOR = """
    radial_stiffness: float = fc.quantity(5e7, "N/m", fc.NON_NEGATIVE)  # of the bearing
    tilt_stiffness: float = fc.quantity(1e4, "N m/rad", fc.NON_NEGATIVE)"""
GUIDED = """
    radial_stiffness: float = fc.quantity(5e7, "N/m", fc.NON_NEGATIVE)  # of the bearing"""
DISC = """    disc = fc.RigidBody(
        "disc", p.mass, ("ux", "uy", "uz"), position=(0.0, 0.0, HEIGHT), spin=p.speed
    )  # it does not tilt: a pad on its other side balances this one
    bearing = fc.Bearing(disc, p.radial_stiffness, 0.0, 50.0, 50.0)  # axially free"""
SPINNING = """    size = {{outer}}  # outer radius in m
    tilting = 0.25 * p.mass * size**2
    {{other}} = fc.RigidBody(
        "{{other}}", p.mass, ("ux", "uy", "uz", "rx", "ry"), (tilting, tilting, 2.0 * tilting),
        (0.0, 0.0, HEIGHT), spin=p.speed,
    )  # fmt: skip
    bearing = fc.Bearing(  # axially free
        {{other}}, p.radial_stiffness, 0.0, 50.0, 50.0, tilt_stiffness=p.tilt_stiffness
    )"""
BELT = """    belt = fc.RigidBody("belt", p.mass, ("ux", "uz"), position=(0.0, 0.0, HEIGHT))
    drive = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(p.speed), name="drive")"""

KINDS: dict[str, dict[str, str]] = {
    "clutch": {
        "story": "The part stands still, held as in its mesh. A rigid flywheel spins about the z "
        "axis and is\npressed on its contact surface, a ring about this axis.",
        "other": "flywheel", "mass": "5.0", "speed": '100.0, "rad/s"', "parameters": ROTOR,
        "counterpart": SPINNING, "along": "tangential", "items": "bearing",
        "load_sensor": 'fc.LoadSensor("torque", contact, "z", "moment")',
    },
    "brake": {
        "story": "The part is a pad that is held as in its mesh. A rigid disc spins about the z "
        "axis beside it\nand is pressed on its contact surface.",
        "other": "disc", "mass": "8.0", "speed": '20.0, "rad/s"', "parameters": GUIDED,
        "counterpart": DISC, "along": "tangential", "items": "bearing",
        "load_sensor": 'fc.LoadSensor("torque", contact, "z", "moment")',
    },
    "beam": {
        "story": "The part stands still, held as in its mesh. A rigid belt moves along x with "
        "constant speed and\nis pressed on its contact surface.",
        "other": "belt", "mass": "1.0", "speed": '0.5, "m/s"', "parameters": "",
        "counterpart": BELT, "along": "x", "items": "drive",
        "load_sensor": 'fc.LoadSensor("friction force", contact, "x")',
    },
}  # fmt: skip


def script(template: str, values: Mapping[str, str]) -> str:
    """Text of a case script; `values` are those that depend on the body and the name."""
    known = KINDS[template] | dict(values)
    text = HEAD + SYSTEM
    for _ in range(2):  # pieces contain names of their own
        text = re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], text)
    return text
