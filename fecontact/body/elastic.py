r"""Elastic body: floating frame plus reduced coordinates.

A material point x of the body moves with the frame (u, R) and deforms by the shapes Phi,

    r = r_0 + u + R (x + Phi q),      v = u' + R (omega x (x + Phi q) + Phi q'),

omega body-fixed. With the shape integrals S, C, J, H of `reduction.inertia` at the deformed state
the kinetic energy is, w = R^T u',

    T = m w.w/2 + w.(omega x S) + w.C q' + omega.J omega/2 + omega.H q' + q'.q'/2,
    S = int rho X,  C = dS/dq,  J = int rho (X.X 1 - X X^T),  H = int rho X x Phi,  X = x + Phi q .

Lagrange's equations in (u', omega, q') give M(q) v' = f with

    f_u     = -R (omega x (omega x S) + 2 omega x C q' + C' q')
    f_omega = -J' omega - omega x (J omega + H q') - H' q'
    f_q     = 2 sum_a omega_a G_a q' + (d/dq) omega.J omega/2 - K q - D q',   G_a,ij = int rho (Phi_i x Phi_j)_a

(Shabana, Dynamics of Multibody Systems; Schwertassek and Wallrapp, Dynamik flexibler
Mehrkoerpersysteme). Deformation also moves points to second order: a bending beam gets shorter. The
work of the inertia loads on that motion is the reference geometric stiffness K_k (Wallrapp and
Schwertassek, Int. J. Numer. Methods Eng. 32 (1991) 1833). Here it enters the integrals,

    S += q^T K_a q/2,   H += K_alpha q,   omega.J omega -= sum_ij omega_i omega_j q^T K_ij q ,

so that M stays symmetric and energy and momentum are conserved with it.
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from fecontact.body.motion import PointMotion
from fecontact.body.rigid import FREEDOMS
from fecontact.body.rotation import cross_matrix, quaternion_matrix, quaternion_rate, rotated
from fecontact.errors import FINITE, InputError, check, one_of
from fecontact.fem.damping import Damping, ModalDamping
from fecontact.reduction import ReducedModel
from fecontact.reduction.geometric import UNIT_LOADS
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.typing import Floats, Tangents

__all__ = ["FRAMES", "ElasticBody"]

FRAMES = ("free", "fixed")

SAME_POINT = 1e-9
"""Distance, relative to the size of the body, up to which a point counts as a node."""


@dataclass(frozen=True, eq=False)
class ElasticBody:
    """Elastic body in large motion, with small deformation relative to its frame.

    Parameters
    ----------
    name
        Name in the system.
    model
        Reduced body. Its rigid motions are replaced by those of the frame; its supports, if any,
        hold it in the frame.
    position
        Origin of the frame, which is the origin of the mesh, in the reference position, in m.
    frame
        "free": coordinates are the displacement u of the frame, its unit quaternion and q; the
        velocities are u', the body-fixed angular velocity and q'. "fixed": the frame is held, the
        coordinates are q alone.
    damping
        Of the deformation: a model of `fecontact.fem.damping`, or one damping ratio for all
        elastic coordinates. Modal ratios count from the first elastic coordinate.
    geometric_stiffness
        Include the stiffness of the stress that inertia loads cause; without it a rotating beam
        softens.
    """

    name: str
    model: ReducedModel
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    frame: str = "free"
    damping: Damping | float = 0.0
    geometric_stiffness: bool = True

    def __post_init__(self) -> None:
        check(f"{self.name}: frame", self.frame, one_of(FRAMES))
        for value in self.position:
            check(f"{self.name}: position", float(value), FINITE, "m")
        if self.model.residual is not None:
            raise InputError(
                f"{self.name}: a model of method 'quasi-static' is not possible: its residual "
                "flexibility has no coordinates; reduce with method 'rubin'"
            )
        self._damping_matrix  # noqa: B018  # refuses an impossible damping
        if self.frame == "free":
            self._inertia  # noqa: B018  # refuses a model without integrals

    @property
    def bodies(self) -> tuple[ElasticBody]:
        """The coordinates it refers to: its own."""
        return (self,)

    @cached_property
    def freedoms(self) -> tuple[str, ...]:
        """Names of the velocities: those of the frame, then the elastic ones."""
        elastic = tuple(f"e{i}" for i in range(1, self.model.size - self.model.rigid + 1))
        return FREEDOMS + elastic if self.frame == "free" else elastic

    def reference(self) -> Floats:
        """Coordinates of the undeformed body in its reference position."""
        elastic = np.zeros(self.model.size - self.model.rigid)
        turn = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        return np.concatenate([turn, elastic]) if self.frame == "free" else elastic

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step of the freedoms; rotations are body-fixed."""
        if self.frame == "fixed":
            return q + step
        return np.concatenate([q[:3] + step[:3], rotated(q[3:7], step[3:6]), q[7:] + step[6:]])

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        if self.frame == "fixed":
            return v
        return np.concatenate([v[:3], quaternion_rate(q[3:7], v[3:6]), v[6:]])

    def rotation(self, q: Floats) -> Floats:
        """Rotation matrix from body to space components."""
        return quaternion_matrix(q[3:7]) if self.frame == "free" else np.eye(3)

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n); it depends on rotation and deformation."""
        if self.frame == "fixed":
            return np.eye(len(q))
        return self._inertia.mass_matrix(self.rotation(q), q[7:])

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Coriolis, centrifugal and gyroscopic forces, elastic and damping forces."""
        inner = -self._stiffness * self._elastic(q) - self._damping_matrix @ self._elastic_rate(v)
        if self.frame == "fixed":
            return inner
        force = self._inertia.force(self.rotation(q), q[7:], v[3:6], v[6:])
        force[6:] += inner
        return force

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        if self.frame == "fixed":
            return -np.diag(self._stiffness), -self._damping_matrix
        by_q, by_v = self._inertia.tangents(self.rotation(q), q[7:], v[3:6], v[6:])
        by_q[6:, 6:] -= np.diag(self._stiffness)
        by_v[6:, 6:] -= self._damping_matrix
        return by_q, by_v

    def motion(self, q: Floats, v: Floats, points: str | Floats) -> PointMotion:
        """Motion of the points of a named surface, or of nodes given by coordinates (p, 3).

        Coordinates are those of the undeformed mesh.
        """
        x, Phi = self._shapes(points)
        R, free = self.rotation(q), self.frame == "free"
        u, u_rate, omega = (q[:3], v[:3], v[3:6]) if free else np.zeros((3, 3))
        X = x + Phi @ self._elastic(q)
        relative = np.cross(omega, X) + Phi @ self._elastic_rate(v)
        jacobian, d_velocity = np.zeros((2, len(x), 3, 6 + Phi.shape[2]))
        jacobian[:, :, :3] = np.eye(3)
        jacobian[:, :, 3:6] = -R @ cross_matrix(X)
        jacobian[:, :, 6:] = R @ Phi
        d_velocity[:, :, 3:6] = -R @ cross_matrix(relative)
        d_velocity[:, :, 6:] = R @ cross_matrix(omega) @ Phi
        kept = slice(0 if free else 6, None)

        def d_load(force: Floats) -> Floats:
            turning = cross_matrix(force @ R)
            result = np.zeros((6 + Phi.shape[2],) * 2)
            result[3:6, 3:6] = np.einsum("pij,pjk->ik", cross_matrix(X), turning)
            result[6:, 3:6] = np.einsum("pim,pij->mj", Phi, turning)
            result[3:6, 6:] = result[6:, 3:6].T
            return result[kept, kept]

        return PointMotion(
            position=self.position + u + X @ R.T,
            velocity=u_rate + relative @ R.T,
            jacobian=jacobian[:, :, kept],
            d_velocity=d_velocity[:, :, kept],
            d_load=d_load,
        )

    def kinetic_energy(self, q: Floats, v: Floats) -> float:
        """Kinetic energy in J."""
        return float(0.5 * v @ self.mass_matrix(q) @ v)

    def strain_energy(self, q: Floats) -> float:
        """Strain energy of the deformation in J."""
        return float(0.5 * self._stiffness @ self._elastic(q) ** 2)

    def momentum(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Momentum, and angular momentum about the origin, in space components."""
        free, R = self.frame == "free", self.rotation(q)
        u, speed = (q[:3], v) if free else (np.zeros(3), np.concatenate([np.zeros(6), v]))
        linear, spin = (self._inertia.mass_matrix(R, self._elastic(q))[:6] @ speed).reshape(2, 3)
        return linear, np.cross(self.position + u, linear) + R @ spin

    def _elastic(self, q: Floats) -> Floats:
        return q[7:] if self.frame == "free" else q

    def _elastic_rate(self, v: Floats) -> Floats:
        return v[6:] if self.frame == "free" else v

    @cached_property
    def _stiffness(self) -> Floats:
        """Diagonal of the stiffness matrix."""
        return self.model.frequencies[self.model.rigid :] ** 2

    @cached_property
    def _damping_matrix(self) -> Floats:
        damping = self.damping
        if isinstance(damping, int | float):
            damping = ModalDamping((damping,))
        return np.asarray(damping.matrix(np.eye(len(self._stiffness)), np.diag(self._stiffness)))

    @cached_property
    def _inertia(self) -> _FrameInertia:
        model = self.model
        if model.inertia is None:
            raise InputError(
                f"{self.name}: a model without inertia integrals is not possible in a moving "
                "frame; reduce a solid with floating_frame=True"
            )
        if self.geometric_stiffness and model.geometric is None:
            raise InputError(
                f"{self.name}: the model has no geometric stiffness; reduce an ElasticSolid with "
                "floating_frame=True, or set geometric_stiffness=False"
            )
        geometric = model.geometric if self.geometric_stiffness else None
        return _frame_inertia(model.inertia, geometric, model.rigid)

    def _shapes(self, points: str | Floats) -> tuple[Floats, Floats]:
        """Reference positions (p, 3) and elastic displacement shapes (p, 3, m)."""
        if isinstance(points, str):
            surface = self.model.surface(points)
            shape = surface.shape.reshape(len(surface.points), 3, -1)
            return surface.points, shape[:, :, self.model.rigid :]
        distance, node = self._tree.query(points)
        if np.max(distance, initial=0.0) > SAME_POINT * np.ptp(self._tree.data, axis=0).max():
            worst = np.argmax(distance)
            raise InputError(
                f"{self.name}: point {points[worst].tolist()} is not possible: it must be a node; "
                f"the nearest one is {self._tree.data[node[worst]].tolist()}"
            )
        return np.asarray(points), self._node_shapes[node]

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.model.geometry.points)

    @cached_property
    def _node_shapes(self) -> Floats:
        elastic = self.model.basis[:, self.model.rigid :]
        return np.asarray(self.model.geometry.shape @ elastic).reshape(-1, 3, elastic.shape[1])


@dataclass(frozen=True)
class _Deformed:
    """Integrals at a deformed state, in body axes.

    S (3,), C = dS/dq (3, m), J (3, 3), dJ/dq (3, 3, m), H (3, m).
    """

    first_moment: Floats
    translation: Floats
    inertia: Floats
    d_inertia: Floats
    rotation: Floats


@dataclass(frozen=True)
class _FrameInertia:
    """Inertia of frame and deformation, w.r.t. (u', omega, q').

    `zero` holds the integrals of the elastic coordinates. `second` (18 m, m) stacks what is
    linear in q: K_a (3 rows), K_alpha (3), G (3) and d^2 J/dq^2 (9).
    """

    zero: InertiaIntegrals
    second: Floats

    def mass_matrix(self, R: Floats, q: Floats) -> Floats:
        at = self._at(q)
        M = np.eye(6 + len(q))
        M[:3, :3] *= self.zero.mass
        M[:3, 3:6] = -R @ cross_matrix(at.first_moment)
        M[:3, 6:] = R @ at.translation
        M[3:6, 3:6] = at.inertia
        M[3:6, 6:] = at.rotation
        M[3:, :3] = M[:3, 3:].T
        M[6:, 3:6] = M[3:6, 6:].T
        return M

    def force(self, R: Floats, q: Floats, omega: Floats, rate: Floats) -> Floats:
        at = self._at(q)
        K_a, K_alpha, G, _ = self._contracted(rate)
        inward = np.cross(omega, np.cross(omega, at.first_moment) + 2.0 * at.translation @ rate)
        turning = at.inertia @ omega + at.rotation @ rate
        d_inertia = at.d_inertia.transpose(0, 2, 1) @ omega
        return np.concatenate(
            [
                -R @ (inward + K_a @ rate),
                -(d_inertia + K_alpha) @ rate - np.cross(omega, turning),
                2.0 * omega @ G + 0.5 * omega @ d_inertia,
            ]
        )

    def tangents(self, R: Floats, q: Floats, omega: Floats, rate: Floats) -> Tangents:
        """Derivatives along steps of (u, rotation, q), and by (u', omega, q')."""
        at, m = self._at(q), len(q)
        K_a, K_alpha, G, J_rate = self._contracted(rate)
        S, C, H = at.first_moment, at.translation, at.rotation
        turn, around, flow = cross_matrix(omega), np.cross(omega, S), C @ rate
        force_u = np.cross(omega, around + 2.0 * flow) + K_a @ rate
        dJ_omega = at.d_inertia.transpose(0, 2, 1) @ omega
        turning = at.inertia @ omega + H @ rate
        by_q, by_v = np.zeros((2, 6 + m, 6 + m))
        by_q[:3, 3:6] = R @ cross_matrix(force_u)
        by_q[:3, 6:] = -R @ turn @ (turn @ C + 2.0 * K_a)
        by_q[3:6, 6:] = -J_rate.transpose(0, 2, 1) @ omega - turn @ (dJ_omega + K_alpha + G)
        by_q[6:, 6:] = 0.5 * self._sum(np.outer(omega, omega).ravel(), 9)
        by_v[:3, 3:6] = R @ (cross_matrix(around + 2.0 * flow) + turn @ cross_matrix(S))
        by_v[:3, 6:] = -2.0 * R @ (turn @ C + K_a)
        by_v[3:6, 3:6] = cross_matrix(turning) - turn @ at.inertia - at.d_inertia @ rate
        by_v[3:6, 6:] = -dJ_omega - 2.0 * K_alpha - turn @ H
        by_v[6:, 3:6] = (2.0 * G + dJ_omega).T
        by_v[6:, 6:] = 2.0 * self._sum(omega, 6)
        return by_q, by_v

    def _at(self, q: Floats) -> _Deformed:
        zero = self.zero
        K_a, K_alpha, G, J_second = self._contracted(q)
        C, dJ = zero.translation + K_a, zero.inertia_first + J_second
        return _Deformed(
            first_moment=zero.first_moment + 0.5 * (zero.translation + C) @ q,
            translation=C,
            inertia=zero.inertia + 0.5 * (zero.inertia_first + dJ) @ q,
            d_inertia=dJ,
            rotation=zero.rotation + K_alpha - G,
        )

    def _contracted(self, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """K_a x, K_alpha x, G x, each (3, m), and (d^2 J/dq^2) x (3, 3, m)."""
        rows = (self.second @ x).reshape(18, -1)
        return rows[:3], rows[3:6], rows[6:9], rows[9:].reshape(3, 3, -1)

    def _sum(self, factors: Floats, start: int) -> Floats:
        """Sum of factors times the matrices of `second` from `start` on, (m, m)."""
        m = self.second.shape[1]
        matrices = self.second.reshape(18, m * m)[start : start + len(factors)]
        return (factors @ matrices).reshape(m, m)


def _frame_inertia(
    integrals: InertiaIntegrals, geometric: Floats | None, rigid: int
) -> _FrameInertia:
    """Integrals of the elastic coordinates, with the geometric stiffness in the second order."""
    e = slice(rigid, None)
    zero = InertiaIntegrals(
        mass=integrals.mass,
        first_moment=integrals.first_moment,
        inertia=integrals.inertia,
        translation=integrals.translation[:, e],
        rotation=integrals.rotation[:, e],
        inertia_first=integrals.inertia_first[:, :, e],
        coupling=integrals.coupling[:, e, e],
        inertia_second=integrals.inertia_second[:, :, e, e],
    )
    m = zero.translation.shape[1]
    K = np.zeros((len(UNIT_LOADS), m, m)) if geometric is None else geometric[:, e, e]
    xx, yy, zz, xy, yz, zx = K[6:] * np.array([1, 1, 1, 0.5, 0.5, 0.5])[:, None, None]
    shortening = np.stack([xx, xy, zx, xy, yy, yz, zx, yz, zz])
    second_inertia = 2.0 * (zero.inertia_second.reshape(9, m, m) - shortening)
    second = np.concatenate([K[:6], zero.coupling, second_inertia])
    return _FrameInertia(zero, second.reshape(18 * m, m))
