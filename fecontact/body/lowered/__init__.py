"""Bodies and markers as compiled programs see them."""

from fecontact.body.lowered.disc import free_disc
from fecontact.body.lowered.elastic import elastic_body, elastic_weight
from fecontact.body.lowered.linear import linear_body
from fecontact.body.lowered.marker import (
    add_d_load,
    marker_sizes,
    pack_elastic_frame,
    pack_marker,
    place_marker,
    spin_angle,
)
from fecontact.body.lowered.moving_points import pack_disc_points, pack_frame_points
from fecontact.body.lowered.record import (
    ANGLE,
    MAPS,
    OMEGA,
    POSITION,
    ROTATION,
    SPIN,
    VELOCITY,
    frame_size,
)
from fecontact.body.lowered.rigid import rigid_body, rigid_weight

__all__ = [
    "ANGLE",
    "MAPS",
    "OMEGA",
    "POSITION",
    "ROTATION",
    "SPIN",
    "VELOCITY",
    "add_d_load",
    "elastic_body",
    "elastic_weight",
    "frame_size",
    "free_disc",
    "linear_body",
    "marker_sizes",
    "pack_disc_points",
    "pack_elastic_frame",
    "pack_frame_points",
    "pack_marker",
    "place_marker",
    "rigid_body",
    "rigid_weight",
    "spin_angle",
]
