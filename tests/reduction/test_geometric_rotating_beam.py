"""Floating-frame terms against the beam equation of a rotating cantilever.

Euler-Bernoulli beam on a hub of radius zero, turning at Omega; flapping out of the plane,

    E I w'''' - (S w')' + rho A w_tt = 0,     S = rho A Omega^2 (L^2 - x^2) / 2,

solved here by Ritz polynomials (12 terms, converged to ten digits). In the plane of rotation the
centrifugal softening takes Omega^2 off: omega_lag^2 = omega_flap^2 - Omega^2.
"""

import numpy as np
import pytest
import scipy.linalg as la
from numpy.polynomial import Polynomial
from skfem import MeshHex

from fecontact.fem import ElasticSolid, Material
from fecontact.reduction import reduce_model
from fecontact.reduction.geometric import UNIT_LOADS

LENGTH, SIDE = 1.0, 0.02
MATERIAL = Material(young=210e9, poisson=0.0, density=7800.0)  # a beam theory has no Poisson effect


@pytest.fixture(scope="module")
def beam():
    axes = np.linspace(0, LENGTH, 25), *[np.linspace(-SIDE / 2, SIDE / 2, 2)] * 2
    mesh = MeshHex.init_tensor(*axes).with_boundaries({"root": lambda x: np.isclose(x[0], 0.0)})
    body = ElasticSolid(mesh, MATERIAL, "hex2", {"root": "xyz"})
    return reduce_model(body, method="free", modes=16)


def flap_frequency(speed, terms=12):
    """First frequency; both in units of sqrt(E I / (rho A L^4))."""
    shapes = [Polynomial([0.0, 0.0, *[0.0] * i, 1.0]) for i in range(terms)]
    tension = Polynomial([0.5, 0.0, -0.5]) * speed**2

    def products(order, weight=1.0):
        fields = [shape.deriv(order) if order else shape for shape in shapes]
        return [[(weight * a * b).integ()(1.0) for b in fields] for a in fields]

    stiffness = np.array(products(2)) + np.array(products(1, tension))
    return np.sqrt(la.eigvalsh(stiffness, np.array(products(0)))[0])


def test_reference_at_rest():
    """The cantilever: cos(x) cosh(x) = -1 has its first root at 1.8751041."""
    assert flap_frequency(0.0) == pytest.approx(1.8751040687**2, rel=1e-8)


@pytest.mark.parametrize("speed", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
def test_flap_and_lag_frequencies(beam, speed):
    unit = np.sqrt(MATERIAL.young * SIDE**2 / 12 / (MATERIAL.density * LENGTH**4))
    stiffening = beam.geometric[UNIT_LOADS.index("omega_z omega_z")]
    softening = beam.inertia.inertia_second[2, 2]
    K = beam.stiffness + (speed * unit) ** 2 * (stiffening - softening)
    lag, flap = np.sqrt(la.eigvalsh(K)[:2]) / unit
    expected = flap_frequency(speed)
    # shear and rotary inertia, which the beam neglects, are of the order (SIDE / LENGTH)^2
    assert flap == pytest.approx(expected, rel=4e-4)
    assert lag == pytest.approx(np.sqrt(expected**2 - speed**2), rel=4e-4)
