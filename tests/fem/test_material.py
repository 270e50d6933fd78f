"""Materials: elastic constants, axes, refusals and warnings on units."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    CartesianAxes,
    CylindricalAxes,
    Material,
    Orthotropic,
    material,
)

ORIGIN = np.zeros(3)
FACING = {
    "young": (9e9, 14e9, 3e9),
    "poisson": (0.12, 0.25, 0.3),
    "shear": (4e9, 1.5e9, 1.2e9),
    "density": 1900.0,
}


def test_isotropic_matrix_is_lames():
    D = STEEL.elasticity(ORIGIN)
    lame = 210e9 * 0.3 / (1.3 * 0.4)
    shear = 210e9 / 2.6
    assert D[0, 0] == pytest.approx(lame + 2 * shear)
    assert D[0, 1] == pytest.approx(lame)
    assert D[3, 3] == pytest.approx(shear)


def test_orthotropic_with_equal_constants_is_isotropic():
    E, nu, G = STEEL.young, STEEL.poisson, STEEL.shear
    same = Orthotropic((E,) * 3, (nu,) * 3, (G,) * 3, 7800.0)
    np.testing.assert_allclose(same.elasticity(ORIGIN), STEEL.elasticity(ORIGIN), rtol=1e-12)


def test_isotropic_matrix_does_not_feel_axes():
    E, nu, G = STEEL.young, STEEL.poisson, STEEL.shear
    axes = CartesianAxes((1.0, 2.0, -1.0), (0.3, 1.0, 0.5))
    turned = Orthotropic((E,) * 3, (nu,) * 3, (G,) * 3, 7800.0, axes)
    np.testing.assert_allclose(
        turned.elasticity(ORIGIN), STEEL.elasticity(ORIGIN), rtol=1e-9, atol=1e-3
    )


def test_moduli_along_the_axes_come_back():
    """A pull along each axis gives its modulus and lateral contraction."""
    S = np.linalg.inv(Orthotropic(**FACING).elasticity(ORIGIN))
    np.testing.assert_allclose(1.0 / np.diag(S), [9e9, 14e9, 3e9, 1.2e9, 1.5e9, 4e9], rtol=1e-12)
    assert -S[1, 0] / S[0, 0] == pytest.approx(0.12)
    assert -S[2, 0] / S[0, 0] == pytest.approx(0.25)
    assert -S[2, 1] / S[1, 1] == pytest.approx(0.3)


def test_off_axis_modulus_is_that_of_the_textbook():
    """1/E_x = c^4/E1 + s^4/E2 + (1/G12 - 2 nu12/E1) c^2 s^2 (Jones, Mechanics of Composite
    Materials, off-axis lamina)."""
    angle = np.radians(30.0)
    c, s = np.cos(angle), np.sin(angle)
    axes = CartesianAxes((c, s, 0.0), (-s, c, 0.0))
    S = np.linalg.inv(Orthotropic(**FACING, axes=axes).elasticity(ORIGIN))
    expected = c**4 / 9e9 + s**4 / 14e9 + (1 / 4e9 - 2 * 0.12 / 9e9) * (c * s) ** 2
    assert S[0, 0] == pytest.approx(expected, rel=1e-12)


def test_cylindrical_axes_follow_the_circle():
    wound = Orthotropic(**FACING, axes=CylindricalAxes())
    flat = Orthotropic(**FACING)
    D = wound.elasticity(np.array([[0.1, 0.0, 0.3], [0.0, 0.2, 0.0]]))
    np.testing.assert_allclose(D[0], flat.elasticity(ORIGIN), rtol=1e-12, atol=1e-3)
    quarter = Orthotropic(**FACING, axes=CartesianAxes((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))
    np.testing.assert_allclose(D[1], quarter.elasticity(ORIGIN), rtol=1e-12, atol=1e-3)


def test_no_cylindrical_axes_on_the_axis():
    with pytest.raises(InputError, match="expected points off the axis"):
        Orthotropic(**FACING, axes=CylindricalAxes()).elasticity(np.array([[0.0, 0.0, 0.1]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"poisson": (1.5, 0.25, 0.3)}, "expected a positive stored energy"),
        ({"young": (9e9, -1.0, 3e9)}, r"young E_2 = -1.0 Pa"),
        ({"shear": (4e9, 1.5e9, 0.0)}, r"shear G_23 = 0.0 Pa"),
    ],
)
def test_impossible_constants_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Orthotropic(**(FACING | change))


def test_parallel_axes_are_refused():
    with pytest.raises(InputError, match="parallel"):
        CartesianAxes((1.0, 1.0, 0.0), (2.0, 2.0, 0.0))


@pytest.mark.parametrize(
    ("young", "density", "words"),
    [
        (210.0, 7800.0, "GPa.*2.1e\\+11"),
        (210e3, 7800.0, "MPa.*2.1e\\+11"),
        (210e9, 7.8, "g/cm\\^3.*7800"),
        (210e9, 7.8e-9, "t/mm\\^3.*7800"),
        (210e12, 7800.0, "stiffer than diamond; given in mPa.*2.1e\\+11"),
        (2.1e12, 7800.0, "dyn/cm\\^2.*2.1e\\+11"),
        (210e9, 7.8e6, "heavier than any metal; given in g/m\\^3.*7800"),
    ],
)
def test_unit_slips_name_the_likely_unit(young, density, words):
    with pytest.warns(UserWarning, match=words):
        Material(young, 0.3, density)


def test_unit_slip_of_one_modulus_of_several_names_it():
    given = FACING | {"shear": (4e9, 4.0, 4e9)}
    with pytest.warns(UserWarning, match=r"shear G_13 = 4.0 Pa.*GPa.*4e\+09") as caught:
        Orthotropic(**given)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="GPa") as caught:
        Orthotropic(**(FACING | {"shear": (4.0, 4.0, 4.0)}))
    assert ["GPa" in str(w.message) for w in caught] == [True] * 3


def test_sound_values_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Material(1e6, 0.49, 900.0)
        Material(1.2e12, 0.1, 3500.0)
        Material(550e9, 0.25, 22600.0)
        Orthotropic((1e6,) * 3, (0.49,) * 3, (3.4e5,) * 3, 900.0)


def test_names():
    assert material("Steel") is STEEL
    assert material("facing").density == 2000.0
    with pytest.raises(InputError, match="unknown material 'stone'; known: aluminium, cast iron"):
        material("stone")


@given(
    seed=st.integers(0, 2**32 - 1),
    moduli=st.tuples(*[st.floats(1e8, 1e11)] * 6),
    ratios=st.tuples(*[st.floats(-0.3, 0.3)] * 3),
)
def test_energy_does_not_depend_on_the_frame(seed, moduli, ratios):
    """A strain turned together with the material axes stores the same energy."""
    rng = np.random.default_rng(seed)
    R, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    R *= np.sign(np.linalg.det(R))
    strain = rng.standard_normal((3, 3))
    strain = strain + strain.T
    constants = {"young": moduli[:3], "poisson": ratios, "shear": moduli[3:], "density": 1e3}
    try:
        straight = Orthotropic(**constants)
    except InputError:
        assume(False)
    turned = Orthotropic(**constants, axes=CartesianAxes(tuple(R[:, 0]), tuple(R[:, 1])))

    def energy(material, e):
        voigt = np.array([*np.diag(e), 2 * e[1, 2], 2 * e[0, 2], 2 * e[0, 1]])
        return voigt @ material.elasticity(ORIGIN) @ voigt

    expected = energy(straight, strain)
    assert expected > 0.0
    assert energy(turned, R @ strain @ R.T) == pytest.approx(expected, rel=1e-9)
