"""Contact: surfaces with weighted points, their masters, normal and tangential laws."""

from fecontact.contact.analytic_surface import ring
from fecontact.contact.friction import CoulombSliding
from fecontact.contact.normal import PenaltyNormal
from fecontact.contact.pair import ContactPair, ContactStatus
from fecontact.contact.plate_face import PlateFace
from fecontact.contact.surface import Surface

__all__ = [
    "ContactPair",
    "ContactStatus",
    "CoulombSliding",
    "PenaltyNormal",
    "PlateFace",
    "Surface",
    "ring",
]
