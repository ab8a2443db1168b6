#!/usr/bin/env python3
"""Compares the whole build (landmarks, W, P) of geodome's sbha (bench_build) with the paper's steps in NumPy, SciPy and
CHOLMOD (reference.py) in one run. Prints a Markdown table per mesh, and the target ratios.

    bench/build.py BENCH_BUILD [MESH ...] [--landmarks L] [--nonzeros P] [--cholmod-heat] [--json FILE]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (the thread counts must be set first)
import reference  # noqa: E402


class Stopwatch:
    """Processor and wall-clock seconds by stage."""

    def __init__(self):
        self.cpu, self.wall = {}, {}

    def run(self, name, work, *arguments):
        cpu, wall = time.process_time(), time.perf_counter()
        result = work(*arguments)
        self.cpu[name] = time.process_time() - cpu
        self.wall[name] = time.perf_counter() - wall
        return result


def errors(exact, rows):
    known = (exact > 0) & np.isfinite(exact)
    off = rows[known] - exact[known]
    return {"mean_relative_error": float(np.mean(np.abs(off) / exact[known])),
            "relative_error": float((off ** 2).sum() / (exact[known] ** 2).sum())}


def run_reference(folder, options):
    """Times the paper's steps and measures their errors on the same rows as geodome's."""
    points, triangles = np.load(folder / "points.npy"), np.load(folder / "triangles.npy")
    watch = Stopwatch()
    factorise = reference.cholesky if options.cholmod_heat else reference.linalg.factorized
    heat = watch.run("heat method set-up", reference.HeatMethod, points, triangles, factorise)
    chosen, W = watch.run("landmarks and W", reference.farthest_points, heat, options.landmarks)
    stiffness, mass = watch.run("Laplacian", reference.cotangent_laplacian, points, triangles)
    P = watch.run("P", reference.interpolation, stiffness, mass, chosen, options.nonzeros)
    build = sum(watch.cpu.values())
    watch.run("canonical form", reference.canonical_form, P, W)
    sources, exact = np.load(folder / "sources.npy").ravel(), np.load(folder / "exact.npy")
    ours_at = np.load(folder / "landmarks.npy").ravel()
    W_rows = np.array([heat.distances(source)[ours_at] for source in sources])
    rows = (P @ (W @ P[sources].toarray().T)).T
    name = "CHOLMOD throughout" if options.cholmod_heat else "SciPy's LU in the heat method"
    return {"name": f"the paper's steps, {name}", "cpu": watch.cpu, "wall": watch.wall, "build_cpu": build,
            "W": errors(exact[:, ours_at], W_rows), "rows": errors(exact, rows),
            "bytes": 12 * P.nnz + 8 * W.size}


def run(build, mesh, options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [str(build / "bench" / "bench_build"), "--dump", name, "--landmarks", str(options.landmarks),
                   "--nonzeros", str(options.nonzeros)]
        if mesh:
            command.append(mesh)
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        exact, ours = np.load(folder / "exact.npy"), np.load(folder / "ours.npy")
        at = np.load(folder / "landmarks.npy").ravel()
        report["W"], report["rows"] = errors(exact[:, at], ours[:, at]), errors(exact, ours)
        report["reference"] = run_reference(folder, options)
    return report


def print_report(report):
    paper = report["reference"]
    print(f"\n| {pathlib.Path(report['mesh']).name}, {report['vertices']:,} vertices, {report['landmarks']:,} landmarks, "
          f"{report['nonzeros']} nonzeros per row | threads | build, CPU s | build, wall s | canonical form, CPU s | bytes | "
          "W: mean error | 5 rows: ε |")
    print("|---|---|---|---|---|---|---|---|")
    print(f"| {paper['name']} | 1 | {paper['build_cpu']:.1f} | "
          f"{sum(paper['wall'].values()) - paper['wall']['canonical form']:.1f} | {paper['cpu']['canonical form']:.2f} | "
          f"{paper['bytes'] / 1e6:.1f} MB | {100 * paper['W']['mean_relative_error']:.2g} % | "
          f"{paper['rows']['relative_error']:.2g} |")
    for row in report["runs"]:
        scaling = row.get("embedding", {}).get("cpu")
        print(f"| geodome | {row['threads']} | {row['build']['cpu']:.1f} | {row['build']['wall']:.1f} | "
              f"{f'{scaling:.2f}' if scaling is not None else '–'} | {report['bytes'] / 1e6:.1f} MB | "
              f"{100 * report['W']['mean_relative_error']:.2g} % | {report['rows']['relative_error']:.2g} |")
    print("\nCPU seconds of the paper's steps: "
          + ", ".join(f"{name} {seconds:.1f}" for name, seconds in paper["cpu"].items()))
    for row in report["runs"]:
        print(f"Seconds of geodome on {row['threads']} thread(s): "
              + ", ".join(f"{name} {seconds:.2f}" for name, seconds in row["stages"].items()))
    print()
    one = report["runs"][0]
    print(f"- {paper['build_cpu'] / one['build']['cpu']:.1f}× less CPU time than the paper's steps, one thread each")
    for row in report["runs"][1:]:
        print(f"- {one['build']['wall'] / row['build']['wall']:.2f}× faster on {row['threads']} threads than on one")
    print(f"- mean error of W: {report['W']['mean_relative_error'] / paper['W']['mean_relative_error']:.3f} of that of the paper's steps")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder of the bench preset")
    parser.add_argument("mesh", nargs="*", help="triangle meshes of one component; default: a sphere")
    parser.add_argument("--landmarks", type=int, default=1000)
    parser.add_argument("--nonzeros", type=int, default=50)
    parser.add_argument("--cholmod-heat", action="store_true",
                        help="use CHOLMOD in the heat method too: faster than the solver of the paper")
    parser.add_argument("--json", type=pathlib.Path, help="also write all numbers to this file")
    arguments = parser.parse_args()
    reports = []
    for mesh in arguments.mesh or [None]:
        reports.append(run(arguments.build, mesh, arguments))
        print_report(reports[-1])
        sys.stdout.flush()
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=2) + "\n")


if __name__ == "__main__":
    main()
