"""What the keywords of a deck say about its model, with the line that says it.

A keyword that would change the model and is not read is refused with its line; output and procedure
keywords are passed over; loads, contact and damping, which belong to the system, are told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from fecontact.errors import InputError, warn_caller
from fecontact.fem.deck.model import Bound, Coupled, DeckModel, Elasticity, Section, Terms, Tied
from fecontact.fem.material import CartesianAxes, CylindricalAxes
from fecontact.files import first_line
from fecontact.mesh.formats.abaqus import MESH_KEYWORDS, DeckContent
from fecontact.mesh.formats.deck import Card, Deck

__all__ = ["read_model"]

ELEMENTS = ("C3D4", "C3D8", "C3D10", "C3D20")
VARIANTS = ("R", "I", "H", "IH", "RH", "M")
"""Endings of element types that are read as the plain, fully integrated element, with a warning."""

PASSED = {
    "", "AMPLITUDE", "ASSEMBLY", "CONDUCTIVITY", "CONTACT FILE", "CONTACT OUTPUT", "CONTACT PRINT",
    "ELEMENT OUTPUT", "EL FILE", "EL PRINT", "END ASSEMBLY", "END INSTANCE", "END PART", "END STEP",
    "ENERGY FILE", "ENERGY PRINT", "EXPANSION", "FILE FORMAT", "HEADING", "INCLUDE", "INSTANCE",
    "NODE FILE", "NODE OUTPUT", "NODE PRINT", "OUTPUT", "PART", "PREPRINT", "RESTART",
    "SECTION CONTROLS", "SPECIFIC HEAT", "SYSTEM", "TIME POINTS", "USER MATERIAL LIST",
}  # fmt: skip
TOLD = {
    "CHANGE FRICTION", "CLOAD", "CLEARANCE", "CONTACT", "CONTACT DAMPING", "CONTACT INCLUSIONS",
    "CONTACT PAIR", "CONTACT PROPERTY ASSIGNMENT", "DAMPING", "DLOAD", "DSLOAD", "FRICTION",
    "GAP CONDUCTANCE", "INITIAL CONDITIONS", "MODAL DAMPING", "SURFACE BEHAVIOR",
    "SURFACE INTERACTION", "TEMPERATURE",
}  # fmt: skip
CHANGING = {"MODEL CHANGE", "MPC", "SPRING", "TRANSFORM"}
"""Refused in a step as well."""

NAMED_SUPPORTS = {
    "ENCASTRE": (1, 2, 3, 4, 5, 6), "PINNED": (1, 2, 3), "XSYMM": (1, 5, 6), "YSYMM": (2, 4, 6),
    "ZSYMM": (3, 4, 5), "XASYMM": (2, 3, 4), "YASYMM": (1, 3, 5), "ZASYMM": (1, 2, 6),
}  # fmt: skip


def read_model(file: Path, scale: float) -> DeckModel:
    """Read the keywords of a deck; `scale` is the length of its unit in m, for orientations."""
    model, step = DeckModel(DeckContent(file)), 0
    for card in Deck(file).cards():
        step += card.keyword == "STEP"
        try:
            _take(model, card, step, scale)
        except InputError as error:
            message = str(error)
            if f"of '{card.file.name}'" in message:
                raise
            raise InputError(f"{card.place()}: *{card.keyword}: {message}") from None
        except (ValueError, IndexError, KeyError) as error:
            raise InputError(
                f"{card.place()}: *{card.keyword} cannot be read: {first_line(error)}"
            ) from None
    for kind, plain in model.variants.items():
        warn_caller(f"deck '{file}': elements {kind} are read as {plain}, with full integration")
    if model.told:
        warn_caller(
            f"deck '{file}': not read: {', '.join(model.told[:8])}; loads, contact and damping "
            "belong to the system"
        )
    for coupled in model.couplings:
        if coupled.rigid is None:
            raise InputError(
                f"{coupled.card.place()}: *COUPLING without *KINEMATIC or *DISTRIBUTING after it"
            )
    return model


def _take(model: DeckModel, card: Card, step: int, scale: float) -> None:
    """Take over one keyword; `step` counts from 1, 0 before the first. Supports are those of it."""
    in_step = step > 0
    if card.keyword == "BOUNDARY" and step > 1:
        model.told.append(f"*BOUNDARY of a later step ({card.place()})")
        return
    if card.keyword in _MODEL and not (in_step and card.keyword != "BOUNDARY"):
        _MODEL[card.keyword](model, card, scale)
        if card.keyword not in MESH_KEYWORDS:
            return
    if card.keyword in MESH_KEYWORDS:
        MESH_KEYWORDS[card.keyword](model.mesh, card.options, card.lines)
    elif card.keyword in TOLD:
        model.told.append(f"*{card.keyword} ({card.place()})")
    elif card.keyword not in PASSED and (not in_step or card.keyword in CHANGING):
        if card.keyword == "STEP":
            return
        raise InputError(
            f"{card.place()}: *{card.keyword} is not read: expected a deck of solids with "
            "materials, sections, ties, couplings, equations and supports; take it out"
        )


def _node(model: DeckModel, card: Card, scale: float) -> None:
    if not card.options.get("SYSTEM", "R").upper().startswith("R"):
        raise InputError(
            f"SYSTEM={card.options['SYSTEM']} is not read: expected coordinates x, y, z"
        )


def _element(model: DeckModel, card: Card, scale: float) -> None:
    """Refuse what is no solid; say what is integrated in another way here."""
    kind = card.options.get("TYPE", "").upper()
    plain = next((e for e in ELEMENTS if kind == e), None)
    if plain is None:
        plain = next((e for e in ELEMENTS for v in VARIANTS if kind == e + v), None)
        if plain is None:
            raise InputError(
                f"{card.place()}: elements of type '{kind}' are not read: expected one of "
                f"{', '.join(ELEMENTS)}"
            )
        model.variants.setdefault(kind, plain)


def _material(model: DeckModel, card: Card, scale: float) -> None:
    name = _option(card, "NAME")
    model.material = name.upper()
    if model.material in model.materials:
        raise InputError(f"material '{name}' is defined twice")
    model.materials[model.material] = Elasticity(card)


def _of_material(model: DeckModel) -> Elasticity:
    if not model.material:
        raise InputError("expected a *MATERIAL before it")
    return model.materials[model.material]


def _elastic(model: DeckModel, card: Card, scale: float) -> None:
    """Constants of one temperature."""
    kind = card.options.get("TYPE", "ISOTROPIC").upper().replace(" ", "").replace("_", "")
    kinds = {"ISO": "ISOTROPIC", "ISOTROPIC": "ISOTROPIC",
             "ENGINEERINGCONSTANTS": "ENGINEERING CONSTANTS"}  # fmt: skip
    if kind not in kinds:
        raise InputError(
            f"type {card.options['TYPE']} is not read: expected ISOTROPIC or ENGINEERING CONSTANTS"
        )
    numbers = [float(word) for row in range(len(card.lines)) for word in card.words(row)]
    size = 2 if kinds[kind] == "ISOTROPIC" else 9
    if len(numbers) not in (size, size + 1):
        raise InputError(
            f"{len(numbers)} constants: expected {size} for {kinds[kind]}, of one temperature"
        )
    given = _of_material(model)
    given.kind, given.constants = kinds[kind], tuple(numbers[:size])


def _density(model: DeckModel, card: Card, scale: float) -> None:
    if len(card.lines) != 1:
        raise InputError("expected the density of one temperature")
    _of_material(model).density = float(card.words(0)[0])


def _section(model: DeckModel, card: Card, scale: float) -> None:
    orientation = card.options.get("ORIENTATION")
    model.sections.append(
        Section(card, _option(card, "ELSET"), _option(card, "MATERIAL"), orientation)
    )


def _orientation(model: DeckModel, card: Card, scale: float) -> None:
    """Axes through points a and b; a rotation of them is refused."""
    if card.options.get("DEFINITION", "COORDINATES").upper() != "COORDINATES":
        raise InputError("expected DEFINITION=COORDINATES")
    points = np.array([float(word) for word in card.words(0)])
    if len(points) not in (6, 9) or not np.isfinite(points).all():
        raise InputError("expected the coordinates of two points, a and b")
    if len(card.lines) > 1 and any(float(word) for word in card.words(1)[1:2]):
        raise InputError("an additional rotation of the axes is not read")
    a, b = points[:3], points[3:6]
    origin = points[6:] if len(points) == 9 else np.zeros(3)
    system = card.options.get("SYSTEM", "RECTANGULAR").upper()
    name = _option(card, "NAME").upper()
    if system.startswith("R"):
        model.orientations[name] = CartesianAxes(_three(a - origin), _three(b - origin))
    elif system.startswith("C"):
        model.orientations[name] = CylindricalAxes(_three(b - a), _three(scale * a))
    else:
        raise InputError(f"system {system}: expected RECTANGULAR or CYLINDRICAL")


def _three(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _tie(model: DeckModel, card: Card, scale: float) -> None:
    for option in ("CYCLIC SYMMETRY", "MULTISTAGE"):
        if option in card.options:
            raise InputError(f"{option} is not read")
    tolerance = card.options.get("POSITION TOLERANCE")
    for row in range(len(card.lines)):
        slave, master = card.words(row)[:2]
        model.ties.append(
            Tied(card, slave, master, None if tolerance is None else scale * float(tolerance))
        )


def _coupling(model: DeckModel, card: Card, scale: float) -> None:
    for option in ("ORIENTATION", "INFLUENCE RADIUS", "ADJUST"):
        if option in card.options:
            raise InputError(f"{option} is not read: expected whole surfaces along x, y, z")
    reference = _option(card, "REF NODE")
    name = card.options.get("CONSTRAINT NAME", f"node {reference}")
    model.couplings.append(Coupled(card, name, reference, surface=_option(card, "SURFACE")))


def _kinematic(model: DeckModel, card: Card, scale: float) -> None:
    coupling, held = _last_coupling(model), _components(card)
    coupling.rigid = True
    if held:
        coupling.directions = "".join(d for k, d in enumerate("xyz", 1) if k in held)


def _distributing(model: DeckModel, card: Card, scale: float) -> None:
    if card.options.get("WEIGHTING METHOD", "UNIFORM").upper() != "UNIFORM":
        raise InputError("expected WEIGHTING METHOD=UNIFORM: weights are areas")
    coupling, held = _last_coupling(model), _components(card)
    coupling.rigid = False
    if held and held != {1, 2, 3, 4, 5, 6}:
        raise InputError(f"components {sorted(held)}: expected all, 1 to 6")


def _components(card: Card) -> set[int]:
    """Components of lines of a first and a last one."""
    found: set[int] = set()
    for row in range(len(card.lines)):
        words = [int(word) for word in card.words(row)]
        if not 1 <= words[0] <= words[-1] <= 6:
            raise InputError(f"{card.place(row)}: *{card.keyword}: expected components from 1 to 6")
        found |= set(range(words[0], words[-1] + 1))
    return found


def _last_coupling(model: DeckModel) -> Coupled:
    if not model.couplings or model.couplings[-1].rigid is not None:
        raise InputError("expected a *COUPLING before it")
    return model.couplings[-1]


def _rigid_body(model: DeckModel, card: Card, scale: float) -> None:
    if "NSET" not in card.options:
        raise InputError("expected NSET=nodes: bodies of elements are not read as rigid ones")
    reference = _option(card, "REF NODE")
    name, nodes = f"node {reference}", card.options["NSET"]
    model.couplings.append(Coupled(card, name, reference, nodes=nodes, rigid=True))


def _equation(model: DeckModel, card: Card, scale: float) -> None:
    """A number of terms, then terms of three words each."""
    row = 0
    while row < len(card.lines):
        count = int(card.words(row)[0])
        words: list[str] = []
        row += 1
        while len(words) < 3 * count:
            if row >= len(card.lines):
                raise InputError(f"expected {count} terms of three words")
            words += card.words(row)
            row += 1
        if count < 1 or len(words) != 3 * count:
            raise InputError(f"expected {count} terms of three words")
        terms = tuple(
            (words[k], int(words[k + 1]), float(words[k + 2])) for k in range(0, len(words), 3)
        )
        model.equations.append(Terms(card, terms))


def _boundary(model: DeckModel, card: Card, scale: float) -> None:
    """Held components; displacements other than zero are loads."""
    foreign = set(card.options) - {"OP", "TYPE", "AMPLITUDE", "LOAD CASE"}
    if foreign or card.options.get("TYPE", "DISPLACEMENT").upper() != "DISPLACEMENT":
        raise InputError(f"option {', '.join(sorted(foreign)) or 'TYPE'} is not read")
    for row in range(len(card.lines)):
        words = card.words(row)
        named = words[1].upper() if len(words) > 1 else "ENCASTRE"
        if named in NAMED_SUPPORTS:
            components = NAMED_SUPPORTS[named]
        else:
            if len(words) > 3 and float(words[3]) != 0.0:
                raise InputError(
                    f"{card.place(row)}: *BOUNDARY with a displacement of {words[3]} is not read: "
                    "expected 0; move a support with SupportMotion"
                )
            first = int(words[1])
            last = int(words[2]) if len(words) > 2 and words[2] else first
            if not 1 <= first <= last <= 6:
                raise InputError(f"{card.place(row)}: *BOUNDARY: expected components from 1 to 6")
            components = tuple(range(first, last + 1))
        model.bounds.append(Bound(card, row, words[0], components))


def _option(card: Card, name: str) -> str:
    value = card.options.get(name, "")
    if not value:
        raise InputError(f"expected {name}=")
    return value


_MODEL: dict[str, Callable[[DeckModel, Card, float], None]] = {
    "NODE": _node,
    "ELEMENT": _element,
    "MATERIAL": _material,
    "ELASTIC": _elastic,
    "DENSITY": _density,
    "SOLID SECTION": _section,
    "ORIENTATION": _orientation,
    "TIE": _tie,
    "COUPLING": _coupling,
    "KINEMATIC": _kinematic,
    "DISTRIBUTING": _distributing,
    "RIGID BODY": _rigid_body,
    "EQUATION": _equation,
    "BOUNDARY": _boundary,
}
