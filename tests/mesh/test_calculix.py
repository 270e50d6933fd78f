"""CalculiX as reference solution: it reads what we write, and finds our volumes and surfaces."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fecontact.mesh import measure, save_mesh, solid_annulus

DENSITY, GRAVITY, PRESSURE = 7850.0, 9.81, 2.0e5

STEPS = f"""
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
{DENSITY}
*SOLID SECTION, ELSET=Eall, MATERIAL=STEEL
*BOUNDARY
bottom, 1, 3
*STEP
*STATIC
*DLOAD
upper, GRAV, {GRAVITY}, 0., 0., -1.
*NODE PRINT, NSET=bottom, TOTALS=ONLY
RF
*END STEP
*STEP
*STATIC
*DLOAD, OP=NEW
*DSLOAD
top, P, {PRESSURE}
*NODE PRINT, NSET=bottom, TOTALS=ONLY
RF
*END STEP
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("ccx"), reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("cell", ["tet", "hex"])
def test_support_carries_weight_and_pressure(tmp_path: Path, cell: str, order: int) -> None:
    """Sum of the reactions at `bottom`: weight of the upper layer, then pressure times `top`.

    CalculiX prints the internal forces, without loads on the supported nodes themselves.
    """
    mesh = solid_annulus(0.05, 0.1, 0.0, 0.02, 2, 12, 2, cell, order)
    mesh = mesh.with_subdomains({"upper": lambda x: x[2] > 0.01})
    save_mesh(mesh, tmp_path / "mesh.inp")
    (tmp_path / "job.inp").write_text("*INCLUDE, INPUT=mesh.inp" + STEPS)
    done = subprocess.run(["ccx", "job"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Job finished" in done.stdout, done.stdout[-2000:]
    printed = (tmp_path / "job.dat").read_text()
    totals = re.findall(r"total force.*\n\s*\n\s+(\S+)\s+(\S+)\s+(\S+)", printed)
    weight, force = (float(total[2]) for total in totals)
    assert weight == pytest.approx(DENSITY * GRAVITY * measure(mesh) / 2, rel=1e-5)
    assert force == pytest.approx(PRESSURE * measure(mesh, "top"), rel=1e-5)
