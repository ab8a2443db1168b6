#!/usr/bin/env python3
"""Compares maps of mean geodesic distance on cortical surfaces: geodome (build, then one product), and the usual way, a
loop over one run per vertex, by Connectome Workbench (-surface-geodesic-distance-all-to-all), potpourri3d's heat solver
and pygeodesic's exact one. One thread each. Prints a Markdown table.

    bench/maps.py GEODOME SURFACE... [--rows N] [--json FILE]

Loops run for N vertices (Workbench's for a region of 1,000, pygeodesic's for N / 10); their times are extrapolated to all
vertices and marked ≈. Errors are relative differences of the mean distances of these vertices from those of their exact
rows. Workbench (scripts/setup bench) and Python packages that are not installed are left out.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (the thread counts must be set first)

from workbench import map_dconn, timed  # noqa: E402


def read_ply(path):
    """Points and triangles of a binary file as geodome writes it."""
    content = path.read_bytes()
    header, body = content.split(b"end_header\n", 1)
    lines = header.decode().split("\n")
    vertices, faces = (int(line.split()[2]) for line in lines if line.startswith("element"))
    number = "<f8" if "property double x" in lines else "<f4"
    points = np.frombuffer(body, number, 3 * vertices).reshape(-1, 3).astype(float)
    rest = np.frombuffer(body, np.dtype([("count", "u1"), ("corner", "<i4", 3)]), faces, points.size * int(number[2]))
    return points, rest["corner"].astype(np.int64)


def gifti(arrays):
    """Text of a GIFTI file; arrays are (intent, type, matrix)."""
    parts = [f'<?xml version="1.0" encoding="UTF-8"?>\n<GIFTI Version="1.0" NumberOfDataArrays="{len(arrays)}">\n'
             '<MetaData><MD><Name>AnatomicalStructurePrimary</Name><Value>CortexLeft</Value></MD></MetaData>\n']
    for intent, kind, values in arrays:
        rows, columns = values.shape
        lines = "\n".join(" ".join(map(repr, row)) for row in values.tolist())
        parts.append(f'<DataArray Intent="NIFTI_INTENT_{intent}" DataType="NIFTI_TYPE_{kind}" '
                     f'ArrayIndexingOrder="RowMajorOrder" Dimensionality="2" Dim0="{rows}" Dim1="{columns}" '
                     f'Encoding="ASCII" Endian="LittleEndian" ExternalFileName="" ExternalFileOffset="0">\n'
                     f'<Data>{lines}</Data></DataArray>\n')
    return "".join(parts) + "</GIFTI>\n"


def run_workbench(points, triangles, sources, exact, folder):
    """Of the rows of the vertices of a region all-to-all keeps the part in the region: the error is that of its mean."""
    surface, mask, output = folder / "w.surf.gii", folder / "region.shape.gii", folder / "w.dconn.nii"
    surface.write_text(gifti([("POINTSET", "FLOAT32", points), ("TRIANGLE", "INT32", triangles)]))

    def seconds(region):
        inside = np.zeros((len(points), 1))
        inside[region] = 1
        mask.write_text(gifti([("SHAPE", "FLOAT32", inside)]))
        return timed(["wb_command", "-surface-geodesic-distance-all-to-all", surface, output, "-roi", mask])[1]

    region = np.union1d(sources, np.linspace(0, len(points) - 1, 1000).astype(int))
    least, most = seconds(region[::10]), seconds(region)
    each = (most - least) / (len(region) - len(region[::10]))
    rows = np.array(map_dconn(output), dtype=float)[np.searchsorted(region, sources)]
    return {"name": "Connectome Workbench, row by row", "once": max(0, most - each * len(region)), "each": each,
            "mean_error": mean_error(rows, exact[:, region])}


def mean_error(rows, exact):
    """Of the means of rows, or of means (one column). Vertices that a peer does not reach are left out."""
    rows = np.asarray(rows)
    reached = np.isfinite(rows).all(axis=0)
    truth = exact[:, reached].mean(axis=1) if rows.shape == exact.shape else exact.mean(axis=1)
    return float(np.mean(np.abs(rows[:, reached].mean(axis=1) - truth) / truth))


def run_loop(name, make, row, sources, exact):
    begin = time.process_time()
    solver = make()
    ready = time.process_time()
    rows = [row(solver, int(source)) for source in sources]
    return {"name": name, "once": ready - begin, "each": (time.process_time() - ready) / len(sources),
            "mean_error": mean_error(rows, exact)}


def python_loops(points, triangles, sources, exact):
    try:
        import potpourri3d
        yield run_loop("potpourri3d heat, row by row",
                       lambda: potpourri3d.MeshHeatMethodDistanceSolver(points, triangles),
                       lambda solver, source: solver.compute_distance(source), sources, exact)
    except ImportError:
        print("potpourri3d is not installed: skipped", file=sys.stderr)
    try:
        from pygeodesic import geodesic
        yield run_loop("pygeodesic exact, row by row", lambda: geodesic.PyGeodesicAlgorithmExact(points, triangles),
                       lambda solver, source: solver.geodesicDistances(np.array([source]))[0], sources[::10], exact[::10])
    except ImportError:
        print("pygeodesic is not installed: skipped", file=sys.stderr)


def run_geodome(program, surface, sources, exact, folder):
    output, mean = folder / "s.geodome", folder / "mean.npy"
    _, build = timed([program, "build", surface, "-o", output, "--threads", 1, "--quiet"])
    _, product = timed([program, "map", output, "--of", "mean", "-o", mean, "--threads", 1, "--quiet"])
    means = np.load(mean).reshape(-1, 1)[sources]
    return {"build": build, "map": product, "mean_error": mean_error(means, exact)}


def exact_rows(program, surface, sources, folder):
    rows = folder / "exact.npy"
    timed([program, "distances", surface, "--geodesic", "exact", "--quiet", "-o", rows, "--source",
           ",".join(map(str, sources))])
    return np.load(rows)


def duration(seconds):
    return f"{seconds:,.2f} s" if seconds < 100 else f"{seconds:,.0f} s" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def measure(program, surface, count):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        mesh = folder / "mesh.ply"
        vertices = json.loads(timed([program, "info", surface, "--json"])[0])["vertices"]
        sources = np.linspace(0, vertices - 1, count).astype(int)
        timed([program, "resample", surface, "--decimate", vertices, "-o", mesh, "--quiet"])
        points, triangles = read_ply(mesh)
        exact = exact_rows(program, surface, sources, folder)
        ours = run_geodome(program, surface, sources, exact, folder)
        peers = []
        if shutil.which("wb_command"):
            peers.append(run_workbench(points, triangles, sources, exact, folder))
        else:
            print("wb_command is not installed: skipped", file=sys.stderr)
        peers += python_loops(points, triangles, sources, exact)
    print(f"\n| {surface.name}, {vertices:,} vertices | once | per vertex | map of all vertices | mean error |")
    print("|---|---|---|---|---|")
    print(f"| geodome | build {duration(ours['build'])} | product {duration(ours['map'])} | "
          f"{duration(ours['build'] + ours['map'])} | {100 * ours['mean_error']:.2g} % |")
    for peer in peers:
        peer["all"] = peer["once"] + vertices * peer["each"]
        print(f"| {peer['name']} | {duration(peer['once'])} | {1e3 * peer['each']:,.1f} ms | ≈ {duration(peer['all'])} | "
              f"{100 * peer['mean_error']:.2g} % |")
    return {"surface": surface.name, "vertices": vertices, "geodome": ours, "peers": peers}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="build/release/geodome")
    parser.add_argument("surfaces", type=pathlib.Path, nargs="+", help="files of surfaces")
    parser.add_argument("--rows", type=int, default=100, help="how many vertices loops run for")
    parser.add_argument("--json", type=pathlib.Path, help="also write all numbers to this file")
    options = parser.parse_args()
    results = [measure(options.program, surface, options.rows) for surface in options.surfaces]
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
