"""The steps of the paper [Turek and Huth 2018] in NumPy, SciPy and CHOLMOD, carefully implemented: the reference of
bench/build.py.

Farthest points and the landmark distances W come from the heat method, one source at a time, on SciPy's sparse LU as
in the pycortex package the paper's geodesics come from; P from blocks of 64 right-hand sides through CHOLMOD; the
canonical form from eigsh.
"""

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg
from sksparse.cholmod import cholesky


def cotangent_laplacian(points, triangles):
    """Positive semi-definite stiffness matrix and lumped masses of a triangle mesh."""
    n = len(points)
    corners = points[triangles]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    rows, columns, values = [], [], []
    for k in range(3):
        i, j = triangles[:, (k + 1) % 3], triangles[:, (k + 2) % 3]
        to_i, to_j = points[i] - points[triangles[:, k]], points[j] - points[triangles[:, k]]
        half_cotangent = (to_i * to_j).sum(axis=1) / (4 * area)
        rows += [i, j, i, j]
        columns += [j, i, i, j]
        values += [-half_cotangent, -half_cotangent, half_cotangent, half_cotangent]
    stiffness = sparse.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (n, n))
    mass = np.bincount(triangles.ravel(), weights=np.repeat(area / 3, 3), minlength=n)
    return stiffness, mass


class HeatMethod:
    """Geodesic distances from one source at a time [Crane et al. 2013]."""

    def __init__(self, points, triangles, factorise=linalg.factorized):
        """`factorise` turns a sparse matrix into a function that solves with it: SciPy's `factorized`, or CHOLMOD's
        `cholesky`, which takes about half the time."""
        stiffness, mass = cotangent_laplacian(points, triangles)
        edges = points[triangles] - points[np.roll(triangles, 1, axis=1)]
        time = np.linalg.norm(edges, axis=2).mean() ** 2
        self.heat = factorise((sparse.diags(mass) + time * stiffness).tocsc())
        # The Laplacian is singular: a small multiple of the mass makes it definite.
        self.poisson = factorise((stiffness + 1e-8 / time * sparse.diags(mass)).tocsc())
        self.gradient, area = self._gradient(points, triangles)
        self.divergence = (self.gradient.T @ sparse.diags(np.tile(area, 3))).tocsr()
        self.n = len(points)

    @staticmethod
    def _gradient(points, triangles):
        """3F by V: the three coordinates of the gradient of a function on each face, one after the other."""
        corners = points[triangles]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        double_area = np.linalg.norm(normal, axis=1)
        normal /= double_area[:, None]
        faces = len(triangles)
        rows, columns, values = [], [], []
        for k in range(3):
            opposite = points[triangles[:, (k + 2) % 3]] - points[triangles[:, (k + 1) % 3]]
            direction = np.cross(normal, opposite) / double_area[:, None]
            for axis in range(3):
                rows.append(np.arange(faces) + axis * faces)
                columns.append(triangles[:, k])
                values.append(direction[:, axis])
        matrix = sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                                   (3 * faces, len(points)))
        return matrix, double_area / 2

    def distances(self, source):
        impulse = np.zeros(self.n)
        impulse[source] = 1
        field = (self.gradient @ self.heat(impulse)).reshape(3, -1)
        field /= -np.maximum(np.linalg.norm(field, axis=0), np.finfo(float).tiny)
        result = self.poisson(self.divergence @ field.ravel())
        return result - result[source]


def farthest_points(heat, count, first=0):
    """Landmarks and their distances W, from one row of the heat method for each."""
    landmarks, rows = [first], []
    nearest = np.full(heat.n, np.inf)
    while True:
        row = heat.distances(landmarks[-1])
        rows.append(row)
        if len(landmarks) == count:
            break
        nearest = np.minimum(nearest, row)
        nearest[landmarks] = -np.inf
        landmarks.append(int(np.argmax(nearest)))
    W = np.array([row[landmarks] for row in rows])
    return np.array(landmarks), (W + W.T) / 2


def interpolation(stiffness, mass, landmarks, nonzeros, block=64):
    """P by rows (CSR): the identity at landmarks, elsewhere the largest entries of each column of
    -inv(M_uu) M_ub, M = L inv(D) L."""
    n, l = len(mass), len(landmarks)
    M = (stiffness @ sparse.diags(1 / mass) @ stiffness).tocsc()
    free = np.setdiff1d(np.arange(n), landmarks)
    factor = cholesky(M[free][:, free].tocsc())
    coupling = M[free][:, landmarks].tocsc()
    kept = min(len(free), len(free) * nonzeros // l)
    rows, columns, values = [landmarks], [np.arange(l)], [np.ones(l)]
    for begin in range(0, l, block):
        X = factor(-coupling[:, begin:begin + block].toarray())
        for k in range(X.shape[1]):
            largest = np.argpartition(np.abs(X[:, k]), len(free) - kept)[len(free) - kept:]
            rows.append(free[largest])
            columns.append(np.full(kept, begin + k))
            values.append(X[largest, k])
    return sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (n, l))


def canonical_form(P, W, dimensions=3):
    """Classical scaling of P W² Pᵀ by Lanczos iteration."""
    n = P.shape[0]
    squares = W * W

    def product(x):
        x = x.ravel() - x.mean()
        y = -0.5 * (P @ (squares @ (P.T @ x)))
        return y - y.mean()

    start = np.random.default_rng(0).standard_normal(n)
    values, vectors = linalg.eigsh(linalg.LinearOperator((n, n), product, dtype=float), k=dimensions, which="LA",
                                   v0=start)
    return vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0))
