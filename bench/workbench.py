#!/usr/bin/env python3
"""Compares all distances of a cortical surface computed by Connectome Workbench (Debian package connectome-workbench) and
by geodome in one run, with its default method (cell) and with sbha: processor time, bytes, and errors relative to exact distances from a few vertices. Prints a
Markdown table.

    bench/workbench.py GEODOME SURFACE.surf.gii [--landmarks L] [--nonzeros P ...] [--sources N] [--json FILE]

Workbench writes vertices x vertices numbers: 4.2 GB for 32,492 vertices, in the folder for temporary files.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np


def timed(command):
    """Standard output and processor seconds of a program, run on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, "OMP_NUM_THREADS": "1"}).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def map_dconn(path):
    """Memory map of the matrix in a CIFTI file (NIfTI-2, 32-bit floats)."""
    header = path.open("rb").read(540)
    size, = struct.unpack_from("<i", header, 0)
    datatype, = struct.unpack_from("<h", header, 12)
    shape = struct.unpack_from("<8q", header, 16)
    offset, = struct.unpack_from("<q", header, 168)
    if size != 540 or datatype != 16:
        raise SystemExit(f"{path} is not a NIfTI-2 file of 32-bit floats")
    return np.memmap(path, dtype="<f4", mode="r", offset=offset, shape=(shape[6], shape[5]))


def errors(exact, rows):
    known = exact > 0
    relative = np.abs(rows[known] - exact[known]) / exact[known]
    return {"mean_relative_error": float(relative.mean()),
            "p99_relative_error": float(np.quantile(relative, 0.99)),
            "relative_error": float(((rows[known] - exact[known]) ** 2).sum() / (exact[known] ** 2).sum())}


def run_workbench(surface, sources, exact, folder):
    output = folder / "all.dconn.nii"
    _, seconds = timed(["wb_command", "-surface-geodesic-distance-all-to-all", surface, output])
    rows = np.array(map_dconn(output)[sources], dtype=float)
    result = {"name": "Connectome Workbench, all to all", "cpu": seconds, "bytes": output.stat().st_size,
              **errors(exact, rows)}
    output.unlink()
    return result


def run_geodome(program, surface, sources, exact, folder, landmarks, method):
    """Bytes are those of the matrix: Workbench's file has no surface in it either."""
    output, rows = folder / "surface.geodome", folder / "rows.npy"
    report, seconds = timed([program, "build", surface, "-o", output, *method, "--landmarks", landmarks, "--threads", 1,
                             "--json"])
    timed([program, "rows", output, *sources, "-o", rows, "--quiet"])
    facts = json.loads(report)
    name = f"geodome, {facts['method']}, {facts['landmarks']:,} landmarks"
    return {"name": name if facts["method"] == "cell" else f"{name}, {method[-1]} nonzeros", "cpu": seconds,
            "bytes": facts["bytes"], **errors(exact, np.load(rows))}


def print_table(surface, vertices, results, sources):
    print(f"| {surface.name}, {vertices:,} vertices | CPU s | bytes | mean error | 99 % | ε |")
    print("|---|---|---|---|---|---|")
    for row in results:
        print(f"| {row['name']} | {row['cpu']:.1f} | {row['bytes']:,} | {100 * row['mean_relative_error']:.2f} % | "
              f"{100 * row['p99_relative_error']:.2f} % | {row['relative_error']:.2g} |")
    print(f"\nErrors against exact distances from {sources} vertices.\n")
    peer = results[0]
    for ours in results[1:]:
        print(f"- {ours['name']}: {peer['cpu'] / ours['cpu']:.0f}× less CPU time, "
              f"{peer['bytes'] / ours['bytes']:.0f}× fewer bytes, "
              f"{ours['mean_relative_error'] / peer['mean_relative_error']:.2f} of the mean error")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="build/release/geodome")
    parser.add_argument("surface", type=pathlib.Path, help="a GIFTI surface")
    parser.add_argument("--landmarks", type=int, default=1000)
    parser.add_argument("--nonzeros", type=int, nargs="+", default=[50, 20])
    parser.add_argument("--sources", type=int, default=10, help="rows compared with exact distances")
    parser.add_argument("--json", type=pathlib.Path, help="also write all numbers to this file")
    options = parser.parse_args()
    if not shutil.which("wb_command"):
        sys.exit("wb_command is not installed: run scripts/setup bench")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        facts = json.loads(timed([options.program, "info", options.surface, "--json"])[0])
        vertices = facts["vertices"]
        sources = [int(k) for k in np.linspace(0, vertices - 1, options.sources)]
        timed([options.program, "distances", options.surface, "--geodesic", "exact", "--quiet", "-o",
               folder / "exact.npy", "--source", ",".join(map(str, sources))])
        exact = np.load(folder / "exact.npy")
        results = [run_workbench(options.surface, sources, exact, folder)]
        methods = [[], *(["--method", "sbha", "--nonzeros", nonzeros] for nonzeros in options.nonzeros)]
        results += [run_geodome(options.program, options.surface, sources, exact, folder, options.landmarks, method)
                    for method in methods]
    print_table(options.surface, vertices, results, options.sources)
    if options.json:
        options.json.write_text(json.dumps({"surface": str(options.surface), "vertices": vertices,
                                            "results": results}, indent=2) + "\n")


if __name__ == "__main__":
    main()
