"""Gaps, rows and drifts of all rigid contacts of a system, by loops over their points.

A point X of a slave with the frame (x, R) is at x + R X, and its velocity along a direction d is

    d . shift v + (X x R^T d) . (axes v + spin e_z)      with the maps of `FrameParts`,

plus the elastic shapes; that of the master's material at the same place likewise. What is not in v,
prescribed spins, is the drift.
"""

from __future__ import annotations

from math import cos, sin

from fecontact.body.lowered.frame import quaternion_rotation
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import BLOCK, N, Y
from fecontact.contact.kernels.layout import GAP as DISTANCE
from fecontact.contact.kernels.shapes import distance
from fecontact.contact.rigid.frames import fill_frame
from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import Three, cross, dot, three, turned, turned_back
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.typing import Floats, Integers

__all__ = ["Contacts", "close", "find_gaps", "place_frames", "set_rows", "to_space", "to_surface"]

(SLAVE, MASTER, FIRST_POINT, LAST_POINT, FIRST_CONDITION, LAST_CONDITION, SHAPE, MODES, FIRST_SHAPE,
 ELASTIC, DOFS, SIZE, SLAVE_SPOTS, MASTER_SPOTS, ELASTIC_SPOTS, FIRST_BLOCK, BLOCK_COUNT, SLIDES,
 LAW, PARAMETERS, GATHERING, ITEM) = range(22)  # fmt: skip
COLUMNS = 22
"""Columns of the table of contacts: frames of slave and master; points and conditions, from the
first to that behind the last; code of the surface; number of elastic shapes, where they begin, and
the first elastic coordinate; dofs and their number; where the columns of both frames and the
elastic ones are among these dofs; blocks that they consist of; friction; averages; and the item."""
NO_AVERAGES = -1
B = BLOCK


class Contacts(Bundle):
    """Arrays of all contacts: f frames, p points, and m conditions, which are means over points.

    Attributes
    ----------
    origin, axis : (f, 3), turn : (f, 2)
        Reference position of a frame, axis of a single angle; number of coordinates of the
        rotation, and the first of them in q.
    column : (f + 1,)
        Where the columns of each frame begin in the following.
    dof, coordinate : (k,), maps : (k, 6)
        Dof of a column, its coordinate in q (-1: none), its displacement and angular velocity of
        the material.
    spin : (f,)
        Prescribed spins.
    position : (f, 3), rotation : (f, 9)
        Where the frames are.
    table : (contacts, COLUMNS), numbers : (contacts, 2)
        See `COLUMNS`; constant coefficient of friction, and restitution.
    marker : (contacts, 3), face : (contacts, 9), surface : (contacts, 5)
        Marker of the master in its body: point and axes; numbers of its surface.
    points : (p, 3), initial_gap : (p,)
        Points of the slaves, and their initial gaps.
    shapes
        Elastic shapes (points, 3, modes) of all contacts.
    mean : (m + 1,), member, weight
        Where the points of a condition begin, which they are, and how much they weigh.
    contact, seat, area : (m,)
        Contact of a condition, the point that weighs most in it, and its area.
    owner : (p,)
        Condition in which a point weighs most.
    gather
        Matrices from forces of points to those of conditions.
    spots, blocks
        Lists of the table.
    local, normal : (p, 3), gap : (p,)
        Points in the frames of the slaves, normals in space, and gaps.
    axes : (p, 3, 3)
        Normals and tangents.
    mean_gap, closed : (m,)
        Gaps of the conditions, and those that are closed.
    drift : (m, 3)
        Velocities of the closed ones that are not in v.
    block_work
        Working array of a block of points.
    z : (p, 3), status : (p,), slip_totals : (p, 2)
        As in the state.
    total, ending : (m, 3)
        Impulses of the step, and of the impact or step that acted last, by closed condition.
    friction : (m,), slip : (m, 2)
        Coefficient of the last, slip work and path.
    statuses : (m,)
        Statuses of all conditions.
    work : (contacts, 3)
        Work of the impulses, slip work, and work on prescribed motion.
    """

    origin: Floats
    axis: Floats
    turn: Integers
    column: Integers
    dof: Integers
    coordinate: Integers
    maps: Floats
    spin: Floats
    position: Floats
    rotation: Floats
    table: Integers
    numbers: Floats
    marker: Floats
    face: Floats
    surface: Floats
    points: Floats
    initial_gap: Floats
    shapes: Floats
    mean: Integers
    member: Integers
    weight: Floats
    contact: Integers
    seat: Integers
    area: Floats
    owner: Integers
    gather: Floats
    spots: Integers
    blocks: Integers
    local: Floats
    normal: Floats
    gap: Floats
    axes: Floats
    mean_gap: Floats
    closed: Integers
    drift: Floats
    block_work: Floats
    z: Floats
    status: Integers
    slip_totals: Floats
    total: Floats
    ending: Floats
    friction: Floats
    slip: Floats
    statuses: Integers
    work: Floats


@kernel(fastmath=True)
def place_frames(c: Contacts, q: Floats) -> None:
    """Positions and rotations at coordinates q."""
    origin, axis, position = c.origin, c.axis, c.position
    turn, column, place = c.turn, c.column, c.coordinate
    maps, rotation = c.maps, c.rotation
    for i in range(len(origin)):
        for a in range(3):
            position[i, a] = origin[i, a]
        for k in range(column[i], column[i + 1]):
            if place[k] >= 0:
                for a in range(3):
                    position[i, a] += maps[k, a] * q[place[k]]
        at = turn[i, 1]
        if turn[i, 0] == 4:
            quaternion_rotation(q[at], q[at + 1], q[at + 2], q[at + 3], rotation[i])
        elif turn[i, 0] == 1:
            n, half = three(axis[i], 0), sin(0.5 * q[at])
            quaternion_rotation(
                cos(0.5 * q[at]), half * n[0], half * n[1], half * n[2], rotation[i]
            )


@kernel(fastmath=True)
def find_gaps(c: Contacts, q: Floats) -> bool:
    """Gaps and normals of all points, gaps of all conditions; False where a point has no normal."""
    table, surface, w = c.table, c.surface, c.block_work
    for k in range(len(table)):
        for start in range(table[k, FIRST_POINT], table[k, LAST_POINT], B):
            count = min(B, table[k, LAST_POINT] - start)
            _deform(c, k, q, start, count)
            _project(c, k, start, count)
            if not distance(table[k, SHAPE], surface[k], w):
                return False
            _turn_normals(c, k, start, count)
    gap, mean, means = c.gap, c.mean, c.mean_gap
    member, weight = c.member, c.weight
    for i in range(len(means)):
        total = 0.0
        for e in range(mean[i], mean[i + 1]):
            total += weight[e] * gap[member[e]]
        means[i] = total
    return True


@kernel(fastmath=True)
def _deform(c: Contacts, contact: int, q: Floats, start: int, count: int) -> None:
    """Points of a block in the frame of the slave."""
    row, points, local = c.table[contact], c.points, c.local
    m, e, shapes = row[MODES], row[ELASTIC], c.shapes
    for p in range(start, start + count):
        at = row[FIRST_SHAPE] + 3 * m * (p - row[FIRST_POINT])
        for a in range(3):
            total = points[p, a]
            for k in range(m):
                total += shapes[at + m * a + k] * q[e + k]
            local[p, a] = total


@kernel(fastmath=True)
def _project(c: Contacts, contact: int, start: int, count: int) -> None:
    """Positions of a block in the frame of the master's surface; what is left repeats the last."""
    w, E = c.block_work, c.face[contact]
    marker = three(c.marker[contact], 0)
    for i in range(count):
        x = _on_master(c, contact, start + i)
        y = turned_back(E, 0, (x[0] - marker[0], x[1] - marker[1], x[2] - marker[2]))
        w[Y + i], w[Y + B + i], w[Y + 2 * B + i] = y
    use_lanes(count, w)
    for a in range(3):
        for i in range(count, lanes(w)):
            w[Y + a * B + i] = w[Y + a * B + count - 1]


@kernel(fastmath=True)
def _on_master(c: Contacts, contact: int, p: int) -> Three:
    """Place of a point in the frame of the master."""
    table, position, rotation = c.table, c.position, c.rotation
    s, m = table[contact, SLAVE], table[contact, MASTER]
    x = turned(rotation[s], 0, three(c.local[p], 0))
    y, z = position[s], position[m]
    apart = (x[0] + y[0] - z[0], x[1] + y[1] - z[1], x[2] + y[2] - z[2])
    return turned_back(rotation[m], 0, apart)


@kernel(fastmath=True)
def to_space(c: Contacts, contact: int, x: Three) -> Three:
    """Vector in the axes of a contact's surface, in space."""
    R = c.rotation[c.table[contact, MASTER]]
    return turned(R, 0, turned(c.face[contact], 0, x))


@kernel(fastmath=True)
def to_surface(c: Contacts, contact: int, x: Three) -> Three:
    """Vector in space, in the axes of a contact's surface."""
    R = c.rotation[c.table[contact, MASTER]]
    return turned_back(c.face[contact], 0, turned_back(R, 0, x))


@kernel(fastmath=True)
def _turn_normals(c: Contacts, contact: int, start: int, count: int) -> None:
    """Normals of a block in space, and gaps."""
    w, normal, gap = c.block_work, c.normal, c.gap
    initial = c.initial_gap
    for i in range(count):
        n = to_space(c, contact, (w[N + i], w[N + B + i], w[N + 2 * B + i]))
        normal[start + i, 0], normal[start + i, 1], normal[start + i, 2] = n
        gap[start + i] = w[DISTANCE + i] + initial[start + i]


@kernel(fastmath=True)
def close(c: Contacts, within: float) -> int:
    """Number the conditions whose gap is at most `within`; returns how many there are."""
    gap, closed = c.mean_gap, c.closed
    count = 0
    for i in range(len(gap)):
        if gap[i] <= within:
            closed[count] = i
            count += 1
    return count


@kernel(fastmath=True)
def set_rows(c: Contacts, g: Graph, count: int, slide: bool) -> None:
    """Rows and drifts of the closed conditions; normals alone unless they may slide."""
    table, contact, closed = c.table, c.contact, c.closed
    first, size, slides = g.first, g.size, g.slides
    jacobian, drift, axes = g.jacobian, c.drift, c.axes
    mean, member, weight = c.mean, c.member, c.weight
    normal = c.normal
    for k in range(count):
        i = closed[k]
        row = table[contact[i]]
        first[k], size[k] = row[DOFS], row[SIZE]
        slides[k] = row[SLIDES] if slide else 0
        for a in range(3):
            drift[k, a] = 0.0
            for j in range(row[SIZE]):
                jacobian[k, a, j] = 0.0
        for e in range(mean[i], mean[i + 1]):
            p = member[e]
            fill_frame(normal[p], axes[p])
            _add_point(c, contact[i], p, weight[e], jacobian[k], drift[k], 3 if slides[k] else 1)


@kernel(fastmath=True)
def _add_point(
    c: Contacts, contact: int, p: int, weight: float, J: Floats, drift: Floats, rows: int
) -> None:
    """Add the rows of a point with its weight."""
    row, spots, axes = c.table[contact], c.spots, c.axes[p]
    s, m, modes = row[SLAVE], row[MASTER], row[MODES]
    x, y = three(c.local[p], 0), _on_master(c, contact, p)
    shapes, at = c.shapes, row[FIRST_SHAPE] + 3 * modes * (p - row[FIRST_POINT])
    for a in range(rows):
        d = three(axes[a], 0)
        drift[a] += _add_side(c, s, x, d, weight, spots[row[SLAVE_SPOTS] :], J[a])
        drift[a] += _add_side(c, m, y, d, -weight, spots[row[MASTER_SPOTS] :], J[a])
        if modes:
            e = turned_back(c.rotation[s], 0, d)
            for j in range(modes):
                k = at + j
                push = dot(e, (shapes[k], shapes[k + modes], shapes[k + 2 * modes]))
                J[a, spots[row[ELASTIC_SPOTS] + j]] += weight * push


@kernel(fastmath=True)
def _add_side(
    c: Contacts, i: int, x: Three, d: Three, weight: float, spots: Integers, row: Floats
) -> float:
    """Add the velocity of a point x of a frame along d to a row; returns its drift."""
    column, maps = c.column, c.maps
    turns, first = cross(x, turned_back(c.rotation[i], 0, d)), column[i]
    for k in range(first, column[i + 1]):
        along = dot(three(maps[k], 0), d) + dot(three(maps[k], 3), turns)
        row[spots[k - first]] += weight * along
    return weight * turns[2] * c.spin[i]
