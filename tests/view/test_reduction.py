"""Plots of certificates and of studies of a reduction have the data, and say what they show."""

import numpy as np
import pytest

from fecontact.analysis import Certificate, ReductionStudy
from fecontact.view.reduction import certificate_plot, reduction_study_plot


@pytest.fixture
def certificate():
    z = np.array([1.0 + 100j, -2.0 + 300j, -5.0 + 700j])
    corrected = np.array([1.1 + 99j, -2.0 + 301j, np.nan])
    estimate = np.array([1.2, 1.3, np.inf])
    return Certificate(
        np.arange(3), z, corrected, estimate, 0.01 * estimate, np.array([0, 1, 2]),
        np.array([-1, 4, -1]), (), 1000,
    )  # fmt: skip


def test_certificate(certificate):
    growth, error = certificate_plot(certificate).axes
    shown = {line.get_label(): line.get_xydata() for line in growth.get_lines()}
    assert shown["certified"].tolist() == [[100.0 / (2.0 * np.pi), 1.0]]
    assert shown["pair, its mean"][0, 1] == -2.0
    assert shown["not certifiable"][0, 1] == -5.0
    assert shown["all unknowns"][:, 1].tolist() == [1.1, -2.0]
    assert [line.get_ydata().tolist() for line in error.get_lines()] == [[1.2], [1.3]]
    assert error.get_xlabel() == "frequency / Hz"
    assert "1/s" in error.get_ylabel()


def test_sure_are_modes_whose_sign_is_beyond_doubt(certificate):
    assert certificate.sure.tolist() == [True, False, False]


def test_study():
    full = np.array([[1.0 + 100j], [1.0 + 110j]])
    reduced = full[:, None, :] + np.array([0.1 + 2j, 0.01 + 1j])[:, None]
    study = ReductionStudy(
        np.array([2, 4]), np.array([7, 9]), np.array([24, 96]), 1000, full, reduced,
        1.2 * np.abs(reduced - full[:, None]), np.full((2, 3), 5),
    )  # fmt: skip
    figure = reduction_study_plot(study)
    one, two, three, _ = figure.axes
    np.testing.assert_allclose(one.get_lines()[0].get_xydata(), [[7.0, 0.1], [9.0, 0.01]])
    np.testing.assert_allclose(three.get_lines()[0].get_ydata(), [0.02, 0.01])
    assert (one.get_title(), two.get_title()) == ("24 contact points", "96 contact points")
    assert len(figure.legends) == 1
    assert "all" in str(study)
