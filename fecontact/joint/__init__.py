"""Joints, bearings, drives and loads."""

from fecontact.joint.bearing import Bearing
from fecontact.joint.load import Force

__all__ = ["Bearing", "Force"]
