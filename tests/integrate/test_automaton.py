"""The automaton of contact states, exhaustively: every state, every set of events, every side."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.integrate.events.automaton import (
    ARCS,
    Signals,
    dip,
    event_functions,
    fired,
    next_statuses,
    thresholds,
)

EPS, ANGLE = 1e-6, 0.01
STATES = (OPEN, STICK, SLIP, GROSS)
ALLOWED = {
    (STICK, SLIP), (STICK, GROSS), (STICK, OPEN), (SLIP, STICK), (SLIP, GROSS), (SLIP, OPEN),
    (GROSS, STICK), (GROSS, OPEN), (OPEN, STICK), (OPEN, SLIP),
}  # fmt: skip
"""Incidence of the Petri net, Stamm (5.5), (5.6), but what closes slips with its bristle."""
CASES = list(product(STATES, product((False, True), repeat=3), (False, True), (False, True)))


def signals(aligned, slow, count=1):
    one = np.ones(count)
    angle, speed = (0.5 if aligned else 2.0) * ANGLE, (0.5 if slow else 2.0) * EPS
    return Signals(one, one, one, angle * one, speed * one, speed * one, one, one)


def after(status, event, aligned, slow):
    now = signals(aligned, slow)
    return int(next_statuses(np.array([status]), np.array([event]), now, EPS, ANGLE)[0])


def table(status, event, aligned, slow):
    """The transitions one by one, as the source lists them (Stamm 5.3), by priority.

    Unlike there, only points that are not slow drop their bristle when they break away, and those
    that close have one.
    """
    limit, stops, normal = event
    if status == OPEN:
        return (STICK if slow else SLIP) if normal else OPEN
    if normal:
        return OPEN
    if status == STICK:
        return (GROSS if aligned and not slow else SLIP) if limit else STICK
    if stops and (status == SLIP or slow):
        return STICK
    return GROSS if status == SLIP and limit else status


@pytest.mark.parametrize(("status", "event", "aligned", "slow"), CASES)
def test_every_case(status, event, aligned, slow):
    assert after(status, event, aligned, slow) == table(status, event, aligned, slow)


def test_ten_arcs_and_no_other():
    found = {(case[0], after(*case)) for case in CASES}
    assert {arc for arc in found if arc[0] != arc[1]} == ALLOWED
    assert {(a, b) for a, targets in ARCS.items() for b in targets} == ALLOWED
    missing = {(a, b) for a in STATES for b in STATES if a != b} - ALLOWED
    assert missing == {(GROSS, SLIP), (OPEN, GROSS)}


def test_priorities():
    """If all fire at once: open before stick before slip before gross slip (Stamm 5.13)."""
    everything, not_normal = (True, True, True), (True, True, False)
    for aligned, slow in product((False, True), repeat=2):
        assert all(
            after(status, everything, aligned, slow) == OPEN for status in (STICK, SLIP, GROSS)
        )
        assert after(SLIP, not_normal, aligned, slow) == STICK
    assert after(STICK, not_normal, False, True) == SLIP
    assert after(OPEN, everything, True, True) == STICK


def test_live():
    """Every state can be reached from every other one: the switching never stops a run."""
    for start in STATES:
        reached = {start}
        for _ in STATES:
            reached |= {b for a in reached for b in ARCS[a]}
        assert reached == set(STATES)


def test_points_do_not_see_each_other():
    status = np.array([case[0] for case in CASES])
    event = np.array([case[1] for case in CASES])
    parts = [signals(aligned, slow) for _, _, aligned, slow in CASES]
    now = Signals(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    whole = next_statuses(status, event, now, EPS, ANGLE)
    assert whole.tolist() == [after(*case) for case in CASES]
    turned = next_statuses(status[::-1], event[::-1], Signals(*(x[::-1] for x in now)), EPS, ANGLE)
    assert turned.tolist() == whole[::-1].tolist()


def test_event_functions_of_each_state():
    status = np.array([STICK, SLIP, GROSS, OPEN])
    now = Signals(
        pressure=np.array([5.0, 6.0, 7.0, -8.0]),
        limit=np.array([2.0, 2.0, 2.0, 0.0]),
        grip=np.array([1.5, 2.0, 2.0, 0.0]),
        angle=np.array([1.0, 0.3, 0.0, 1.0]),
        slide=np.array([0.0, 3e-6, 4e-6, 0.0]),
        speed=np.array([0.0, 3e-6, 4e-6, 1.0]),
        distance=np.array([-1.0, -1.0, -1.0, 0.25]),
        bend=np.array([1.5, 2.0, 0.0, 0.0]),
    )
    found = event_functions(status, now, np.full(4, EPS), EPS, ANGLE, 0.125)
    expected = [[0.75, 1.0, 5.125], [0.29, 2e-6, 6.125], [1.0, 3e-6, 7.125], [1.0, 1.0, 8.0]]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("angle", "speed", "ends"), [
    (0.5 * ANGLE, 2.0 * EPS, True), (0.5 * ANGLE, 0.5 * EPS, False), (2.0 * ANGLE, 2.0 * EPS, False)
])  # fmt: skip
def test_slip_becomes_gross_slip_where_it_is_aligned_and_not_slow(angle, speed, ends):
    one = np.ones(1)
    now = signals(True, False)._replace(angle=angle * one, speed=speed * one)
    value = event_functions(np.array([SLIP]), now, EPS * one, EPS, ANGLE, 0.0)[0, 0]
    assert (value < 0.0) == ends


def test_a_bristle_that_does_not_carry_the_friction_is_not_dropped():
    slips, one = np.array([SLIP]), np.ones(1)
    for bend, drops in ((1.0, True), (1.0 - 0.5 * ANGLE, True), (1.0 - 2.0 * ANGLE, False)):
        now = signals(True, False)._replace(bend=bend * one)
        value = event_functions(slips, now, EPS * one, EPS, ANGLE, 0.0)[0, 0]
        assert (value < 0.0) == drops
        lets_go = np.array([[True, False, False]])
        new = next_statuses(np.array([STICK]), lets_go, now, EPS, ANGLE)
        assert new.tolist() == [GROSS if drops else SLIP]


def test_an_open_point_closes_only_if_it_presses():
    cases = ((-1e-9, 1.0, True), (-1e-9, -1.0, False), (1e-9, 1.0, False))
    for distance, pressure, closes in cases:
        now = signals(False, False)._replace(
            distance=np.array([distance]), pressure=np.array([pressure])
        )
        value = event_functions(np.array([OPEN]), now, np.ones(1), EPS, ANGLE, 0.0)[0, 2]
        assert (value < 0.0) == closes


def test_epsilon_update():
    """Slow slip that becomes faster goes on; slow slip that slows down ends."""
    status = np.array([SLIP, SLIP, GROSS, STICK])
    slide = np.array([1e-9, 1.0, 2e-7, 0.0])
    limit = thresholds(status, slide, EPS)
    np.testing.assert_array_equal(limit, [1e-9, EPS, 2e-7, EPS])
    for later, ends in ((2e-9, False), (0.5e-9, True)):
        before, now = (
            signals(False, True)._replace(slide=np.array([speed])) for speed in (1e-9, later)
        )
        first, last = (
            event_functions(np.array([SLIP]), each, limit[:1], EPS, ANGLE, 0.0)
            for each in (before, now)
        )
        assert bool(fired(first, last)[0, 1]) == ends


def test_zero_is_inside_and_a_fall_below_zero_counts():
    before = np.array([0.0, 0.0, 1.0, -1e-18, -1.0, -1.0])
    later = np.array([0.0, -1e-18, -1.0, -1.0, -0.5, 1.0])
    assert fired(before, later).tolist() == [False, True, True, True, False, False]


@pytest.mark.parametrize("shift", [-0.9, -0.3, 0.0, 0.4, 0.8])
def test_dips_between_tests_are_found(shift):
    """Parabolas that are positive at three places: the lowest place is found if it is negative."""
    places = np.array([-1.0, 0.0, 1.0])
    for depth in (-1e-3, 1e-3):
        values = 10.0 * (places - shift) ** 2 + depth
        if values.min() < 0.0:
            continue  # seen without it
        found = dip(*(np.array([1.0, value]) for value in values))
        assert (found is None) == (depth > 0.0)
        assert found is None or found == pytest.approx(shift)
