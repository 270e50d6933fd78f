"""Names of earlier versions: result files are read and continued, old names work with a warning."""

from __future__ import annotations

import json
import shutil

import h5py
import numpy as np
import pytest

import fecontact as fc
from fecontact.case.registry import load_case


def block():
    """A block that slides on a plane: one stateful contact, and one without history."""
    body = fc.RigidBody("block", 1.0, ("ux", "uz"))
    surface = fc.Surface(np.array([[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]]), np.ones(2))
    pairs = [
        fc.ContactPair(
            body,
            surface,
            fc.RigidFace(None, fc.Plane()),
            fc.PenaltyNormal(1e5, 50.0),
            law,
            name=name,
        )
        for name, law in (
            ("feet", fc.ElastoPlastic(0.3, 1e5, 50.0)),
            ("oil", fc.CoulombSliding(0.1)),
        )
    ]
    system = fc.System([body], [fc.Gravity([body]), *pairs])
    return system, system.state(q={"block.uz": 1e-5}, v={"block.ux": 0.5})


@pytest.fixture(scope="module", params=["implicit", "ode"])
def files(request, tmp_path_factory):
    """A run of now, and the same with the names of version 1."""
    folder, (system, start) = tmp_path_factory.mktemp("run"), block()
    fc.simulate(system, 0.02, start, request.param, 0.004, store=folder / "new.h5", step=1e-3)
    shutil.copy(folder / "new.h5", folder / "old.h5")
    with h5py.File(folder / "old.h5", "r+") as file:
        file.attrs["version"] = 1
        records = file["records"]
        records.move("status", "mode")
        records.move("slip_totals", "wear")
        records.move("contacts/1/status", "contacts/1/mode")
        about = json.loads(file["about"].asstr()[()])
        about["method"] = {"ode": "flow"}.get(about["method"], about["method"])
        del file["about"]
        file["about"] = json.dumps(about)
    return folder / "new.h5", folder / "old.h5", system


def test_files_of_version_1_are_read(files):
    new, old = fc.Result.load(files[0], files[2]), fc.Result.load(files[1], files[2])
    assert {"mode", "wear"}.isdisjoint(old.run.shapes)
    for name in ("t", "q", "v", "z", "contact_status", "slip_totals", "method"):
        np.testing.assert_array_equal(getattr(old, name), getattr(new, name), err_msg=name)
    assert set(new.contact_status.ravel()) == {fc.OPEN, fc.SLIP}
    assert np.all(new.slip_totals[-1] > 0.0)
    for name, contact in new.contacts.items():
        assert old.contacts[name].names == contact.names
        for field in contact.names:
            found = old.contacts[name].field(field)
            np.testing.assert_array_equal(found, contact.field(field), err_msg=field)
    state, expected = old.state(-1), new.state(-1)
    np.testing.assert_array_equal(state.status, expected.status)
    np.testing.assert_array_equal(state.slip_totals, expected.slip_totals)
    assert {record.slip_power for record in old.contacts["feet"]} != {0.0}


def test_files_of_version_1_go_on(files, tmp_path):
    """As from the file of now; what is written has the names of now."""
    ends = []
    for path in files[:2]:
        store, method = tmp_path / path.name, fc.Result.load(path).method
        shutil.copy(path, store)
        fc.simulate(files[2], 0.03, None, method, 0.004, restart=store, step=1e-3)
        ends.append(fc.Result.load(store))
    for name in ("t", "q", "v", "z", "contact_status", "slip_totals"):
        np.testing.assert_array_equal(getattr(ends[1], name), getattr(ends[0], name))
    with h5py.File(tmp_path / "old.h5") as file:
        assert {"status", "slip_totals"} <= set(file["records"])
        assert {"mode", "wear"}.isdisjoint(file["records"])


def test_old_names_warn(files):
    result = fc.Result.load(files[0])
    contact, state = result.contacts["feet"], result.state(-1)
    for words, old, new in (
        (r"Result\.mode is now contact_status", lambda: result.mode, result.contact_status),
        (r"Result\.wear is now slip_totals", lambda: result.wear, result.slip_totals),
        (r"now slip_work_and_path", lambda: result.worn("feet")[0], contact.slip_work),
        (r"ContactFields\.mode is now status", lambda: contact.mode, contact.status),
        (r"field 'mode' is now 'status'", lambda: contact.field("mode"), contact.status),
        (r"ContactReport\.mode is now status", lambda: contact[-1].mode, contact.status[-1]),
        (r"State\.mode is now status", lambda: state.mode, state.status),
        (r"State\.wear is now slip_totals", lambda: state.wear, state.slip_totals),
    ):
        with pytest.warns(DeprecationWarning, match=words):
            np.testing.assert_array_equal(old(), new)
    system, start = block()
    with pytest.warns(DeprecationWarning, match="System.flow is now rate_form"):
        np.testing.assert_array_equal(system.flow(start).force, system.rate_form(start).force)
    pair, local = system.stateful_contacts[0], system.local(system.stateful_contacts[0], start)
    with pytest.warns(DeprecationWarning, match="ContactPair.approach is now kinematics"):
        np.testing.assert_array_equal(pair.approach(*local).gap, pair.kinematics(*local).gap)
    with pytest.warns(DeprecationWarning, match=r"fc\.view\.wear_maps is now fc\.view\.slip_maps"):
        assert fc.view.wear_maps is fc.view.slip_maps


def test_the_method_flow_is_ode():
    system, start = block()
    with pytest.warns(DeprecationWarning, match="method = flow is now called 'ode'"):
        motion = fc.simulate(system, 0.002, start, "flow")
    assert motion.method == "ode"
    np.testing.assert_array_equal(motion.q, fc.simulate(system, 0.002, start, "ode").q)


def test_laws_with_old_methods():
    with pytest.warns(DeprecationWarning, match=r"Drag\.flow is now called rate"):

        class Drag(fc.ElastoPlastic):
            def flow(self, z, slip, pressure, status):
                return "own"

    assert Drag(0.3, 1e5).rate(None, None, None, None) == "own"


def test_kinds_and_cases_have_former_names():
    table = fc.References("""
        x | quantity | 1.0 | m | 1e-3 | Smith 2001 | digest
    """)
    assert table["x"].kind == "source_notes"
    with pytest.warns(DeprecationWarning, match="case 'waltersberger/clatter' is now"):
        name, _ = load_case("waltersberger/clatter")
    assert name == "waltersberger/rattle"
