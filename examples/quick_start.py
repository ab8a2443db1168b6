"""Builds the matrix of all distances of a shape in three lines, and queries it.

    python examples/quick_start.py [--vertices 20000]
"""

import argparse

import geodome
import numpy as np


def main(vertices: int = 20000) -> None:
    V, F = geodome.make_shape("creature", vertices=vertices)  # or your own arrays
    m = geodome.build(V, F)
    print(m)

    ends = m.row(0)
    far = int(np.argmax(ends))
    print(f"farthest from vertex 0: vertex {far}, geodesic distance {m[0, far]:.3f}, straight-line distance "
          f"{np.linalg.norm(V[0] - V[far]):.3f}")
    distances, neighbours = m.nearest(0, 5)
    print("nearest to vertex 0:", dict(zip(neighbours.tolist(), distances.round(3).tolist())))
    print("mean distance from each vertex to all vertices:", (m @ np.ones(len(m)))[:3] / len(m), "...")

    error = m.evaluate(rows=20)
    print(f"mean relative error: {error['mean_relative_error']:.2%}, compared with exact geodesics")

    Z = m.embed(3)
    print("canonical form:", Z.shape, "extent", np.ptp(Z, axis=0).round(2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices", type=int, default=20000)
    main(**vars(parser.parse_args()))
