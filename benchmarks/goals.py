"""What the speed of the package is held to: one line for each goal, before and now.

A goal is a number of one row of a question, or its ratio to the row of a peer, with its limit.
`compare` measures the same rows in two checkouts in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from harness import OURS, Row, ratio_at_equal_error

Rows = list[Row]
CASE: Row = {"program": OURS}


def row_of(rows: Rows, case: Row) -> Row | None:
    """The row of a case."""
    return next((r for r in rows if all(r.get(k) == v for k, v in case.items())), None)


def value(rows: Rows, case: Row, key: str) -> float | None:
    """A number of a row."""
    row = row_of(rows, case)
    return None if row is None else row.get(key)


def over(rows: Rows, case: Row, key: str, peer: Row) -> float | None:
    """A number of a row over that of a peer."""
    own, other = value(rows, case, key), value(rows, case | peer, key)
    return None if own is None or other is None else own / other


def speed_up(rows: Rows, case: Row, peer: str) -> float | None:
    """CPU time of a peer over that of ours, at equal error."""
    same = [r for r in rows if all(r.get(k) == v for k, v in case.items() if k != "program")]
    sides = [[r for r in same if r["program"] == name] for name in (case["program"], peer)]
    found = ratio_at_equal_error(*sides)
    return None if found is None else 1.0 / found[0]


@dataclass(frozen=True)
class Goal:
    """A line of the summary.

    Parameters
    ----------
    what
        In words, with the unit.
    question, case, key
        Where the number stands.
    limit
        That the number must not exceed, or must reach if `at_least`.
    number
        The number from the rows of the question; by default that of the row.
    """

    what: str
    question: str
    case: Row
    key: str
    limit: float
    at_least: bool = False
    number: Callable[[Rows], float | None] | None = None

    def found(self, rows: Rows) -> float | None:
        """The number, None if it was not measured."""
        return self.number(rows) if self.number else value(rows, CASE | self.case, self.key)

    def line(self, before: Rows, now: Rows) -> str:
        """Row of the table."""
        numbers = [self.found(before), self.found(now)]
        sign = "at least" if self.at_least else "at most"
        held = "" if numbers[1] is None else "yes" if self.holds(numbers[1]) else "no"
        cells = ["" if number is None else f"{number:,.3g}" for number in numbers]
        return f"| {self.what} | {cells[0]} | {cells[1]} | {sign} {self.limit:,g} | {held} |"

    def holds(self, number: float) -> bool:
        """Whether a number reaches the goal."""
        return number >= self.limit if self.at_least else number <= self.limit


def faster(what: str, question: str, case: Row, limit: float, peer: str) -> Goal:
    """Goal of a speed-up over a peer at equal error."""
    own = CASE | case
    return Goal(what, question, own, "cpu", limit, True, partial(speed_up, case=own, peer=peer))


def rate_over(what: str, question: str, case: Row, peer: str) -> Goal:
    """Goal of at least the steps per second of a peer."""
    number = partial(over, case=CASE | case, key="rate", peer={"program": peer})
    return Goal(what, question, case, "rate", 1.0, True, number)


def tracking(rows: Rows) -> float | None:
    """Cost of a point with tracked modes over that of the same point of a map."""
    own, point = value(rows, TRACKED, "ms"), value(rows, LINE, "ms")
    return None if own is None or point is None else own / point


FREE = CASE | {"bound": None}
GRID = CASE | {"task": "grid", "harmonics": 6, "points": 1600}
LINE = CASE | {"task": "line", "harmonics": 6, "points": 200}
TRACKED = CASE | {"task": "tracked", "harmonics": 6, "points": 200}
BOUNDARY = CASE | {"task": "boundary", "harmonics": 6, "points": 256**2}
CLUTCH = {"method": "implicit", "points": 500, "modes": 40, "span": 0.0}
CHAIN = {"bodies": 20, "modes": 40, "way": "program"}
ROTOR = {"program": f"{OURS} implicit", "modes": 20}
OUTPUT = {"method": "explicit", "points": 500}
FILLED, EMPTY = {"cache": "filled"}, {"cache": "empty"}
MASS, METHODS = {"command": "mass point, implicit"}, {"command": "case four_methods"}
EXUDYN = "speed over Exudyn's at equal error"
IMPLICIT = "speed over Exudyn's implicit method at equal error"
GOALS = (
    *(Goal(f"events, {n} contacts, ms per instant", "event_contacts",
           FREE | {"contacts": n}, "ms", most)
      for n, most in ((2, 1.5), (48, 3.0))),
    *(Goal(f"Moreau, {n} contacts, steps/s", "moreau_contacts", {"contacts": n}, "rate",
           least, True)
      for n, least in ((9, 20_000), (100, 3000), (1024, 150))),
    rate_over("bouncing ball, steps/s over Siconos'", "bouncing_ball", {"step": 1e-3}, "Siconos"),
    *(rate_over(f"block on {n**2} feet, steps/s over Siconos'", "block_on_feet", {"side": n},
                "Siconos") for n in (2, 5, 10)),
    Goal("map point over the bare eigenvalue call", "disc_map", GRID, "ratio", 5.0),
    Goal("256 x 256 boundary of the elastic disc, s", "disc_map", BOUNDARY, "cpu", 5.0),
    Goal("point with tracked modes over the same point of a map", "disc_map", TRACKED, "ms", 3.0,
         number=tracking),
    Goal("implicit step, 500 points, 40 modes, ms", "clutch_steps", CLUTCH, "ms", 2.5),
    Goal("20 bodies, 5 elastic: evaluation with tangents by the program, ms", "multibody", CHAIN,
         "ms", 1.5),
    Goal("20 bodies, 5 elastic: the same by `System.evaluate`, ms", "multibody",
         CHAIN | {"way": "system"}, "ms", 1.5),
    *(faster(f"{n} bristle oscillators, {motion}: {EXUDYN}", "oscillators",
             {"masses": n, "motion": motion}, 0.5, "Exudyn")
      for n in (1, 10) for motion in ("free", "forced")),
    faster(f"elastic rotor: {IMPLICIT}", "rotor", ROTOR | {"points": 0}, 1.0, "Exudyn implicit"),
    faster(f"elastic rotor, 500 friction points: {IMPLICIT}", "rotor", ROTOR | {"points": 500}, 5.0,
           "Exudyn implicit"),
    Goal("clutch plate, implicit step, ms", "clutch_plate", {"method": "implicit"}, "ms", 30.0),
    Goal("clutch plate, explicit, steps of 2 us, simulated s per s", "clutch_plate",
         {"method": "explicit", "step": 2e-6}, "pace", 1e-3, True),
    Goal("harmonic balance, one friction point, ms per solution", "harmonic_balance",
         {"harmonics": 7, "samples": 480}, "ms", 50.0),
    *(Goal(f"output, 500 points, {kept}, ms", "output_cost", OUTPUT | {"kept": kept}, "ms", 0.3)
      for kept in ("memory", "file")),
    Goal("`import fecontact`, s", "start", FILLED | {"command": "import"}, "cpu", 0.4),
    *(Goal(f"`fecontact`, {words}, s", "start", FILLED | {"command": words}, "cpu", 0.3)
      for words in ("--help", "cases", "input error")),
    Goal("first `simulate` of a mass point, empty cache, s", "start", EMPTY | MASS, "cpu", 10.0),
    Goal("first run of a case, empty cache, s", "start", EMPTY | METHODS, "cpu", 25.0),
)  # fmt: skip


def needed(name: str, cases: Sequence[Row]) -> Rows:
    """Cases of ours in a question that goals need."""
    wanted = [CASE | goal.case for goal in GOALS if goal.question == name]
    wanted += [LINE] * (name == "disc_map")
    return [
        case
        for case in cases
        if any(all(case.get(key) == each[key] for key in each) for each in wanted)
    ]


def summary(before: Callable[[str], Rows], now: Callable[[str], Rows]) -> str:
    """Table of all goals, from the rows of a question before and now; peers are those of now."""
    lines = ["| goal | before | now | limit | held |", "|---|---|---|---|---|"]
    for goal in GOALS:
        rows = now(goal.question)
        peers = [row for row in rows if not row["program"].startswith(OURS)]
        lines.append(goal.line(before(goal.question) + peers, rows))
    return "\n".join(lines)
