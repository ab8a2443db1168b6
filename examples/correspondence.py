"""Geodesic error of a correspondence between two poses: the geodesic distance between the vertex a point is mapped to
and its true vertex, divided by the square root of the area. Prints the fraction of points below several errors.

    python examples/correspondence.py [FIRST SECOND] [--vertices 8000]

FIRST and SECOND are files of two poses with the same vertices in the same order, such as those of TOSCA. Default: two
poses of the built-in creature. Canonical forms do not distinguish a shape from its mirror image: the left of an animal
may be mapped to the right, which increases the errors.
"""

import argparse
from collections.abc import Sequence

import geodome
import numpy as np
import numpy.typing as npt


def area(V: npt.NDArray[np.float64], F: npt.NDArray[np.int32]) -> float:
    return float(np.linalg.norm(np.cross(V[F[:, 1]] - V[F[:, 0]], V[F[:, 2]] - V[F[:, 0]]), axis=1).sum() / 2)


def main(files: Sequence[str] = (), vertices: int = 8000) -> None:
    poses = [geodome.read_shape(file) for file in files] or [
        geodome.make_shape("creature", vertices=vertices, pose=pose) for pose in (0, 3)]
    first, second = geodome.build(poses)

    # The correspondence: nearest points of the aligned canonical forms. The true vertex of v is v.
    sent = geodome.correspondence(first.embed(3), second.embed(3))

    errors = second[sent, np.arange(len(second))] / np.sqrt(area(*poses[1]))  # a vectorised query of pairs
    print(f"geodesic error / sqrt(area): mean {errors.mean():.4f}, median {np.median(errors):.4f}")
    for bound in (0.02, 0.05, 0.1, 0.2):
        print(f"  {np.mean(errors <= bound):6.1%} within {bound}")

    some = range(0, len(second), 97)
    before, after = first.block(some, some), second.block(some, some)
    print(f"mean change of geodesic distances between the poses: {np.abs(after - before).mean() / before.mean():.1%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--vertices", type=int, default=8000)
    main(**vars(parser.parse_args()))
