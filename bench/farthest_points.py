#!/usr/bin/env python3
"""Farthest points by `geodome sample` and by the usual loop over single-source runs, here of potpourri3d's heat method, from
the same first vertex on one thread. Prints a Markdown table of processor seconds and of the cover radius, the largest exact
distance of a vertex to its nearest point.

    bench/farthest_points.py GEODOME MESH ... [--count 200]
"""

import argparse
import json
import os
import pathlib
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (the thread counts must be set first)
import potpourri3d  # noqa: E402

from maps import read_ply  # noqa: E402
from workbench import timed  # noqa: E402


def loop(points, triangles, count):
    begin = time.process_time()
    solver = potpourri3d.MeshHeatMethodDistanceSolver(points, triangles)
    chosen, nearest = [0], np.full(len(points), np.inf)
    while len(chosen) < count:
        nearest = np.minimum(nearest, solver.compute_distance(chosen[-1]))
        chosen.append(int(np.argmax(nearest)))
    return chosen, time.process_time() - begin


def cover_radius(program, mesh, chosen, rows):
    timed([program, "distances", mesh, "--source", ",".join(map(str, chosen)), "--geodesic", "exact", "-q", "-o", rows])
    return np.load(rows).min(axis=0).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("meshes", type=pathlib.Path, nargs="+")
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    print("| shape | vertices | loop of heat solves | `geodome sample`, reading the file included | exact cover radius: "
          "loop / geodome |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        mesh, list_of_points, rows = (pathlib.Path(name) / file for file in ("mesh.ply", "points.txt", "rows.npy"))
        for file in options.meshes:
            vertices = json.loads(timed([options.program, "info", file, "--json"])[0])["vertices"]
            timed([options.program, "resample", file, "--decimate", vertices, "-q", "-o", mesh])
            theirs, slow = loop(*read_ply(mesh), options.count)
            _, fast = timed([options.program, "sample", mesh, "-n", options.count, "--start", 0, "--threads", 1, "-q", "-o",
                             list_of_points])
            ours = [int(word) for word in list_of_points.read_text().split()]
            radii = [cover_radius(options.program, mesh, chosen, rows) for chosen in (theirs, ours)]
            print(f"| {file.name} | {vertices:,} | {slow:.2f} | {fast:.3f} | {radii[0]:.3g} / {radii[1]:.3g} |", flush=True)


if __name__ == "__main__":
    main()
