#!/usr/bin/env python3
"""Intervals of `geodome query --bounds` against exact distances of random pairs. For every mesh and for exact and automatic
distances between landmarks: pairs outside, the mean and the 95 % quantile of the width of pairs beyond three landmark
spacings, in spacings and relative to the distance, and milliseconds per pair. Prints a Markdown table.

    bench/bounds.py PROGRAM MESH [...] [--sources 40] [--pairs 2000] [--seed 1] [BUILD OPTIONS]

Options that the script does not know, such as --method sbha, are passed to `geodome build`.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np


def call(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def exact_pairs(program, mesh, size, options, folder):
    """Pairs of vertices, and their distances."""
    rng = random.Random(options.seed)
    sources = rng.sample(range(size), options.sources)
    rows = folder / "rows.npy"
    call(program, "distances", mesh, "--source", ",".join(map(str, sources)), "--geodesic", "exact", "-q", "-o", rows)
    exact = np.load(rows)
    pairs = [(rng.randrange(len(sources)), rng.randrange(size)) for _ in range(options.pairs)]
    return [(sources[row], vertex) for row, vertex in pairs], np.array([exact[row, vertex] for row, vertex in pairs])


def measure(options, mesh, geodesic, more, folder):
    matrix, list_of_pairs = folder / "matrix.geodome", folder / "pairs.txt"
    report = json.loads(call(options.program, "build", mesh, "-o", matrix, "--fresh", "--json", "--geodesic", geodesic, *more))
    bands = report["measured_error"]["by_distance"]
    spacing = next(band for band in bands if band["to_spacings"] == 1)["to"]
    pairs, exact = exact_pairs(options.program, mesh, report["vertices"], options, folder)
    list_of_pairs.write_text("".join(f"{i} {j}\n" for i, j in pairs))
    begin = time.monotonic()
    found = json.loads(call(options.program, "query", matrix, "--pairs", list_of_pairs, "--bounds", "--json", "--threads", 1))
    seconds = time.monotonic() - begin
    low, high = np.array(found["lower"], dtype=float), np.array(found["upper"], dtype=float)
    outside = int(((exact < low * (1 - 1e-9)) | (exact > high * (1 + 1e-9))).sum())
    far = exact > 3 * spacing
    width = (high - low)[far]
    print(f"| {mesh.name} | {report['vertices']:,} | {report['landmarks']:,} | {report['geodesic']}, {found['bounds']} | "
          f"{outside} | {width.mean() / spacing:.2f} | {np.quantile(width, 0.95) / spacing:.2f} | "
          f"{100 * (width / exact[far]).mean():.2g} % | {1000 * seconds / len(pairs):.2g} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("meshes", type=pathlib.Path, nargs="+")
    parser.add_argument("--sources", type=int, default=40)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options, more = parser.parse_known_args()
    print("| mesh | vertices | landmarks | W | outside | width | 95 % | width / distance | ms per pair |\n|" + "---|" * 9)
    with tempfile.TemporaryDirectory() as folder:
        for mesh in options.meshes:
            for geodesic in ("exact", "auto"):
                measure(options, mesh, geodesic, more, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
