"""What a deck says about its model, each with the keyword that says it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fecontact.fem.material import CartesianAxes, CylindricalAxes
from fecontact.mesh.formats.abaqus import DeckContent
from fecontact.mesh.formats.deck import Card

__all__ = ["Bound", "Coupled", "DeckModel", "Elasticity", "Section", "Terms", "Tied"]


@dataclass
class Elasticity:
    """Numbers of a material in the units of the deck, ISOTROPIC or ENGINEERING CONSTANTS."""

    card: Card
    kind: str = ""
    constants: tuple[float, ...] = ()
    density: float | None = None


@dataclass(frozen=True)
class Section:
    """Material and orientation of an element set."""

    card: Card
    elset: str
    material: str
    orientation: str | None


@dataclass(frozen=True)
class Tied:
    """A `*TIE`."""

    card: Card
    slave: str
    master: str
    tolerance: float | None


@dataclass
class Coupled:
    """A `*COUPLING` or `*RIGID BODY`: a reference node, and a surface or a set of nodes."""

    card: Card
    name: str
    reference: str
    surface: str | None = None
    nodes: str | None = None
    rigid: bool | None = None
    directions: str = "xyz"


@dataclass(frozen=True)
class Terms:
    """An `*EQUATION`: node, component 1 to 6, coefficient."""

    card: Card
    terms: tuple[tuple[str, int, float], ...]


@dataclass(frozen=True)
class Bound:
    """A line of `*BOUNDARY`: a node or set, and the components that it holds."""

    card: Card
    row: int
    target: str
    components: tuple[int, ...]


@dataclass
class DeckModel:
    """Everything that a deck says about its model."""

    mesh: DeckContent
    materials: dict[str, Elasticity] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    orientations: dict[str, CartesianAxes | CylindricalAxes] = field(default_factory=dict)
    ties: list[Tied] = field(default_factory=list)
    couplings: list[Coupled] = field(default_factory=list)
    equations: list[Terms] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    material: str = ""
    variants: dict[str, str] = field(default_factory=dict)
