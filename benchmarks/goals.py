"""What the speed of the package is held to: one line for each goal, before and now.

A goal is a number of one row of a question, or its ratio to the row of a peer, with its limit.
`compare` measures the same rows in two checkouts in turn.
"""

from __future__ import annotations

from collections.abc import Callable
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


FREE, GRID = {"bound": None}, {"task": "grid", "harmonics": 6, "points": 1600}
LINE = {"harmonics": 6, "points": 200}
STEP = {"points": 500, "modes": 40, "span": 0.0}
GOALS = (
    Goal("events, 2 contacts, ms per instant", "event_contacts", {"contacts": 2} | FREE, "ms", 1.5),
    Goal("events, 48 contacts, ms per instant", "event_contacts", {"contacts": 48} | FREE, "ms", 3.0),
    Goal("Moreau, 9 contacts, steps/s", "moreau_contacts", {"contacts": 9}, "rate", 20_000, True),
    Goal("Moreau, 100 contacts, steps/s", "moreau_contacts", {"contacts": 100}, "rate", 3000, True),
    Goal("Moreau, 1 024 contacts, steps/s", "moreau_contacts", {"contacts": 1024}, "rate", 150, True),
    rate_over("bouncing ball, steps/s over Siconos'", "bouncing_ball", {"step": 1e-3}, "Siconos"),
    *(rate_over(f"block on {n**2} feet, steps/s over Siconos'", "block_on_feet", {"side": n}, "Siconos")
      for n in (2, 5, 10)),
    Goal("map point over the bare eigenvalue call", "disc_map", GRID, "ratio", 5.0),
    Goal("256 x 256 boundary of the elastic disc, s", "disc_map",
         {"task": "boundary", "harmonics": 6, "points": 256**2}, "cpu", 5.0),
    Goal("point with tracked modes over a map point", "disc_map", LINE | {"task": "tracked"}, "ms", 3.0,
         number=lambda rows: None if not (own := value(rows, CASE | LINE | {"task": "tracked"}, "ms"))
         else own / (value(rows, CASE | GRID, "ms") or float("nan"))),
    Goal("implicit step, 500 points, 40 modes, ms", "clutch_steps", STEP | {"method": "implicit"},
         "ms", 2.5),
    Goal("20 bodies, 5 elastic: evaluation with tangents, ms", "multibody",
         {"bodies": 20, "modes": 40, "way": "system"}, "ms", 1.5),
    faster("one bristle oscillator, free: speed over Exudyn's at equal error", "oscillators",
           {"masses": 1, "motion": "free"}, 0.5, "Exudyn"),
    faster("one bristle oscillator, forced: speed over Exudyn's", "oscillators",
           {"masses": 1, "motion": "forced"}, 0.5, "Exudyn"),
    faster("ten bristle oscillators, forced: speed over Exudyn's", "oscillators",
           {"masses": 10, "motion": "forced"}, 0.5, "Exudyn"),
    faster("elastic rotor: speed over Exudyn's implicit method", "rotor",
           {"program": f"{OURS} implicit", "modes": 20, "points": 0}, 1.0, "Exudyn implicit"),
    faster("elastic rotor, 500 friction points: speed over Exudyn's implicit method", "rotor",
           {"program": f"{OURS} implicit", "modes": 20, "points": 500}, 5.0, "Exudyn implicit"),
    Goal("clutch plate of 3 006 points, implicit step, ms", "clutch_plate", {"method": "implicit"},
         "ms", 30.0),
    Goal("clutch plate of 3 006 points, explicit, simulated s per s", "clutch_plate",
         {"method": "explicit"}, "pace", 1e-3, True),
    Goal("harmonic balance, one friction point, ms per solution", "harmonic_balance",
         {"harmonics": 7, "samples": 480}, "ms", 50.0),
    Goal("output in memory, 500 points, ms", "outputs",
         {"method": "explicit", "kept": "memory", "points": 500}, "ms", 0.3),
    Goal("output to a file, 500 points, ms", "outputs",
         {"method": "explicit", "kept": "file", "points": 500}, "ms", 0.3),
    Goal("`import fecontact`, s", "start", {"command": "import", "cache": "filled"}, "cpu", 0.4),
    *(Goal(f"`fecontact {words}`, s", "start", {"command": words, "cache": "filled"}, "cpu", 0.3)
      for words in ("--help", "cases")),
    Goal("error of input, s", "start", {"command": "input error", "cache": "filled"}, "cpu", 0.3),
    Goal("first `simulate` of a mass point, empty cache, s", "start",
         {"command": "mass point, implicit", "cache": "empty"}, "cpu", 10.0),
    Goal("first run of a case, empty cache, s", "start",
         {"command": "case four_methods", "cache": "empty"}, "cpu", 25.0),
)  # fmt: skip


def summary(before: Callable[[str], Rows], now: Callable[[str], Rows]) -> str:
    """Table of all goals, from the rows of a question before and now."""
    head = ["| goal | before | now | limit | held |", "|---|---|---|---|---|"]
    return "\n".join(head + [g.line(before(g.question), now(g.question)) for g in GOALS])
