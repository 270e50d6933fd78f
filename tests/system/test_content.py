"""Contents of objects: equal for what behaves alike, none for what cannot be compared."""

from dataclasses import dataclass

import numpy as np
import pytest

import fecontact as fc
from fecontact.errors import InputError
from fecontact.system.variants.content import alike, content


def test_a_function_has_no_content():
    assert content((1.0, 2.0)) is not None
    assert content((1.0, abs)) is None


def test_zeros_of_other_sign_and_other_classes_are_another_content():
    assert content(0.0) != content(-0.0)
    assert content(None) != content(0)
    assert content((1.0, 2.0)) != content([1.0, 2.0])
    assert content(np.zeros(2)) != content(np.zeros((2, 1)))


@dataclass(frozen=True)
class Bare:
    """A dataclass of a script."""

    number: float


def test_a_dataclass_from_outside_has_no_content():
    assert content(Bare(1.0)) is None
    assert content([1.0, Bare(1.0)]) is None


def test_a_system_takes_a_body_of_the_same_content_and_no_other():
    # an equal copy is what an item that was taken over knows; another body of that name is a slip
    mass = fc.RigidBody("mass", 1.0, ("uz",))
    same, other = (fc.RigidBody("mass", m, ("uz",)) for m in (1.0, 2.0))
    assert alike(mass, same)
    assert not alike(mass, other)
    system = fc.System([mass], [fc.Force(same, (0.0, 0.0, -3.0))])
    assert system.force(system.rest())[0] == -3.0
    with pytest.raises(InputError, match="another one than that of the system"):
        fc.System([mass], [fc.Force(other, (0.0, 0.0, -3.0))])
