"""How good is a correspondence between two poses? The usual measure is the geodesic distance between where a point was
sent and where it belongs, over the square root of the area: a curve of the share of points below each error.

    python examples/correspondence.py [FIRST SECOND] [--vertices 8000]

FIRST and SECOND are files of two poses with the same vertices in the same order, such as those of TOSCA. Without them two
poses of a creature stand in. Canonical forms do not tell a shape from its mirror image: of an animal the left may be
sent to the right, which the errors then show.
"""

import argparse

import geodome
import numpy as np


def area(V, F):
    return np.linalg.norm(np.cross(V[F[:, 1]] - V[F[:, 0]], V[F[:, 2]] - V[F[:, 0]]), axis=1).sum() / 2


def main(files=(), vertices: int = 8000) -> None:
    poses = [geodome.read_shape(file) for file in files] or [
        geodome.make_shape("creature", vertices=vertices, pose=pose) for pose in (0, 3)]
    first, second = geodome.build(poses)

    # The correspondence to judge: nearest points of the aligned canonical forms. Vertex v belongs to vertex v.
    sent = geodome.correspondence(first.embed(3), second.embed(3))

    errors = second[sent, np.arange(len(second))] / np.sqrt(area(*poses[1]))  # any pairs, all at once
    print(f"mean geodesic error {errors.mean():.4f}, median {np.median(errors):.4f} of the square root of the area")
    for bound in (0.02, 0.05, 0.1, 0.2):
        print(f"  {np.mean(errors <= bound):6.1%} within {bound}")

    some = range(0, len(second), 97)
    before, after = first.block(some, some), second.block(some, some)
    print(f"geodesic distances change by {np.abs(after - before).mean() / before.mean():.1%} between the poses on average")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--vertices", type=int, default=8000)
    main(**vars(parser.parse_args()))
