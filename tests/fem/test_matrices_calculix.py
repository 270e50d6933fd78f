"""Matrices exported by CalculiX: our frequencies from them are those that it prints itself."""

import shutil
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from skfem import MeshHex

from fecontact.fem.matrices import MatrixModel
from fecontact.reduction import reduce_model

ccx = shutil.which("ccx") or shutil.which("ccx_2.20")
pytestmark = pytest.mark.skipif(ccx is None, reason="CalculiX (ccx) is not installed")

DECK = """*NODE, NSET=ALL
{nodes}
*ELEMENT, TYPE=C3D8, ELSET=BODY
{cells}
*MATERIAL, NAME=STEEL
*ELASTIC
210e9, 0.3
*DENSITY
7800
*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL
*STEP
*FREQUENCY{option}
14
*END STEP
"""


@pytest.fixture(scope="module")
def mesh():
    return MeshHex.init_tensor(np.linspace(0, 0.1, 5), np.linspace(0, 0.05, 3), [0.0, 0.02])


def run(mesh, folder, name, option=""):
    corners = mesh.t.T[:, [0, 3, 6, 2, 1, 5, 7, 4]] + 1  # CalculiX runs round bottom, then top
    nodes = "\n".join(
        f"{i + 1}, {x:.11e}, {y:.11e}, {z:.11e}" for i, (x, y, z) in enumerate(mesh.p.T)
    )
    cells = "\n".join(f"{i + 1}, " + ", ".join(map(str, c)) for i, c in enumerate(corners))
    (folder / f"{name}.inp").write_text(DECK.format(nodes=nodes, cells=cells, option=option))
    subprocess.run([ccx, name], cwd=folder, check=True, capture_output=True, timeout=120)


def read(path):
    row, column, value = np.loadtxt(path, unpack=True)
    upper = sp.coo_array((value, (row.astype(int) - 1, column.astype(int) - 1))).tocsr()
    return upper + sp.triu(upper, 1).T


def test_exported_matrices(mesh, tmp_path):
    run(mesh, tmp_path, "matrices", ", SOLVER=MATRIXSTORAGE")
    run(mesh, tmp_path, "modes")
    dofs = [line.split(".") for line in (tmp_path / "matrices.dof").read_text().split()]
    model = MatrixModel(
        read(tmp_path / "matrices.sti"),
        read(tmp_path / "matrices.mas"),
        mesh.p.T,
        np.array(dofs, dtype=int) - 1,
    )
    reduced = reduce_model(model, modes=8)
    assert reduced.rigid == 6
    assert reduced.inertia.mass == pytest.approx(7800 * 0.1 * 0.05 * 0.02, rel=1e-10)
    table = (tmp_path / "modes.dat").read_text().split("E I G E N V A L U E")[1]
    lines = [line.split() for line in table.splitlines()]
    printed = [float(line[3]) for line in lines if len(line) == 5 and line[0].isdigit()]
    assert_allclose(reduced.frequencies[6:] / (2 * np.pi), printed[6:14], rtol=1e-6)
