# Names of this package with their types; __init__.py imports them when they are used.
# ruff: noqa: I001

from fecontact.contact.laws.point import Stepping as Stepping
from fecontact.contact.laws.point import Sliding as Sliding
from fecontact.contact.laws.point import LimitSlopes as LimitSlopes
from fecontact.contact.laws.point import status_of as status_of
from fecontact.contact.laws.point import scalar as scalar
from fecontact.contact.laws.point import vector as vector
from fecontact.contact.laws.base import UNLIMITED as UNLIMITED
from fecontact.contact.laws.algebra import Vector as Vector
from fecontact.contact.laws.algebra import Matrix as Matrix
from fecontact.contact.laws.algebra import NO_VECTOR as NO_VECTOR
from fecontact.contact.laws.algebra import NO_MATRIX as NO_MATRIX
from fecontact.contact.laws.algebra import add as add
from fecontact.contact.laws.algebra import subtract as subtract
from fecontact.contact.laws.algebra import combine as combine
from fecontact.contact.laws.algebra import scale as scale
from fecontact.contact.laws.algebra import dot as dot
from fecontact.contact.laws.algebra import norm as norm
from fecontact.contact.laws.algebra import unit as unit
from fecontact.contact.laws.algebra import outer as outer
from fecontact.contact.laws.algebra import times as times
from fecontact.contact.laws.algebra import product as product
from fecontact.contact.laws.algebra import plus_unit as plus_unit
from fecontact.contact.laws.algebra import scale_matrix as scale_matrix
from fecontact.contact.laws.algebra import sum_matrices as sum_matrices
from fecontact.contact.laws.yielding import compliance as compliance
from fecontact.contact.laws.yielding import yield_step as yield_step
from fecontact.contact.laws.yielding import yield_slopes as yield_slopes
from fecontact.contact.laws.yielding import yield_rate as yield_rate
from fecontact.contact.laws.yielding import coulomb_slide as coulomb_slide
