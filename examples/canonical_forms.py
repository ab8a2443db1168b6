"""Draws two poses and their canonical forms in one picture: the poses differ, the forms hardly do, and corresponding
parts have the same colour.

    python examples/canonical_forms.py [FIRST SECOND] [--vertices 10000] [--output canonical_forms.png]

FIRST and SECOND are files of two poses with the same vertices in the same order. Default: two poses of the built-in
creature. Canonical forms do not distinguish a shape from its mirror image: those of an animal may be aligned with left
on right.
"""

import argparse
from collections.abc import Sequence

import geodome
import numpy as np


def main(files: Sequence[str] = (), vertices: int = 10000, output: str = "canonical_forms.png") -> None:
    poses = [geodome.read_shape(file) for file in files] or [
        geodome.make_shape("creature", vertices=vertices, pose=pose) for pose in (0, 4)]
    forms = [m.embedding(3) for m in geodome.build(poses)]

    motion = geodome.align(forms[0].Z, forms[1].Z)
    aligned = [motion.apply(forms[0].Z), forms[1].Z]
    straight = np.linalg.norm(poses[0].points - poses[1].points, axis=1).mean()
    print(f"corresponding vertices are {straight:.3g} apart in space, "
          f"{np.linalg.norm(aligned[0] - aligned[1], axis=1).mean():.3g} in the canonical forms")

    # The poses above, the canonical forms below, all in canonical colours.
    colours = geodome.Embedding(aligned[1], forms[1].component, []).colours
    above = [pose.picture(colours) for pose in poses]
    below = [geodome.as_shape(Z, pose.faces).picture(colours) for Z, pose in zip(aligned, poses)]
    geodome.save_picture(np.vstack([np.hstack(above), np.hstack(below)]), output)
    print(f"wrote {output}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--vertices", type=int, default=10000)
    parser.add_argument("--output", default="canonical_forms.png")
    main(**vars(parser.parse_args()))
