"""Floating-frame terms against the published frequencies of a rotating cantilever.

Wright, Smith, Thresher and Wang, J. Appl. Mech. 49 (1982) 197: uniform Euler-Bernoulli beam, hub
radius zero, flapping; frequency mu and speed eta times sqrt(rho A L^4 / (E I)). In the plane of
rotation the same beam has mu^2 - eta^2 (no geometric stiffness enters that step: it is the
centrifugal softening of the displacement in the plane).
"""

import numpy as np
import pytest
import scipy.linalg as la
from skfem import MeshHex

from fecontact.fem import Material
from fecontact.reduction import reduce_model
from fecontact.reduction.geometric import UNIT_LOADS

solid = pytest.importorskip("fecontact.fem.solid", reason="needs the elastic solid")

LENGTH, SIDE = 1.0, 0.02
MATERIAL = Material(young=210e9, poisson=0.0, density=7800.0)  # a beam theory has no Poisson effect
FLAP = {0.0: 3.5160, 1.0: 3.6816, 2.0: 4.1373, 3.0: 4.7973, 4.0: 5.5850, 5.0: 6.4495}


@pytest.fixture(scope="module")
def beam():
    axes = np.linspace(0, LENGTH, 25), *[np.linspace(-SIDE / 2, SIDE / 2, 2)] * 2
    mesh = MeshHex.init_tensor(*axes).with_boundaries({"root": lambda x: np.isclose(x[0], 0.0)})
    body = solid.ElasticSolid(mesh, MATERIAL, "hex2", {"root": "xyz"})
    return reduce_model(body, method="free", modes=16)


@pytest.mark.parametrize("speed", FLAP)
def test_flap_and_lag_frequencies(beam, speed):
    unit = np.sqrt(MATERIAL.young * SIDE**2 / 12 / (MATERIAL.density * LENGTH**4))
    stiffening = beam.geometric[UNIT_LOADS.index("omega_z omega_z")]
    softening = beam.inertia.inertia_second[2, 2]
    K = beam.stiffness + (speed * unit) ** 2 * (stiffening - softening)
    lag, flap = np.sqrt(la.eigvalsh(K)[:2]) / unit
    # shear and rotary inertia, which the source neglects, are of the order (SIDE / LENGTH)^2
    assert flap == pytest.approx(FLAP[speed], rel=4e-4)
    assert lag == pytest.approx(np.sqrt(FLAP[speed] ** 2 - speed**2), rel=4e-4)
