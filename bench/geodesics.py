#!/usr/bin/env python3
"""Compares geodesic solvers in one run on one thread: those of geodome and CGAL (bench_geodesics), and from Python
potpourri3d's heat solver and pygeodesic's exact solver. Prints a Markdown table per mesh, and the target ratios.

    bench/geodesics.py BENCH_BUILD [MESH ...] [--json FILE]
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


def errors(exact, rows):
    """Relative errors of rows compared with the first exact rows, without the source."""
    truth = exact[: len(rows)]
    known = (truth > 0) & np.isfinite(truth)
    relative = np.abs(rows[known] - truth[known]) / truth[known]
    return {
        "mean_relative_error": float(relative.mean()),
        "p99_relative_error": float(np.quantile(relative, 0.99)),
        "max_relative_error": float(relative.max()),
        "epsilon": float(((rows[known] - truth[known]) ** 2).sum() / (truth[known] ** 2).sum()),
    }


def measure(name, setup, solve, sources, exact):
    """Median processor milliseconds of `solve(state, source)`, and the errors of its results."""
    begin = time.process_time()
    state = setup()
    ready = time.process_time()
    rows, times = [], []
    for source in sources:
        start = time.process_time()
        rows.append(solve(state, source))
        times.append(1e3 * (time.process_time() - start))
    rows = np.array(rows)
    return {
        "method": name,
        "milliseconds_per_source": float(np.median(times)),
        "setup_milliseconds": 1e3 * (ready - begin),
        "sources": len(sources),
        **errors(exact, rows),
    }


def python_peers(folder, slow_sources):
    """Rows for the Python packages; packages that are not installed are reported and skipped."""
    points, triangles, sources, exact = (
        np.load(folder / f"{name}.npy") for name in ("points", "triangles", "sources", "exact"))
    sources = sources.ravel()
    try:
        import potpourri3d
        yield measure("potpourri3d heat", lambda: potpourri3d.MeshHeatMethodDistanceSolver(points, triangles),
                      lambda solver, source: solver.compute_distance(int(source)), sources, exact)
    except ImportError:
        print("potpourri3d is not installed: skipped", file=sys.stderr)
    try:
        from pygeodesic import geodesic
        if slow_sources:
            yield measure("pygeodesic exact", lambda: geodesic.PyGeodesicAlgorithmExact(points, triangles),
                          lambda solver, source: solver.geodesicDistances(np.array([source]))[0],
                          sources[:slow_sources], exact)
    except ImportError:
        print("pygeodesic is not installed: skipped", file=sys.stderr)


def run(build, mesh, options):
    with tempfile.TemporaryDirectory() as name:
        command = [str(build / "bench" / "bench_geodesics"), "--dump", name, *options]
        if mesh:
            command.insert(1, mesh)
        report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        slow = 1 if report["vertices"] < 60000 else 0
        report["results"] += python_peers(pathlib.Path(name), slow)
    return report


def print_row(name, row, setup):
    print(f"| {name} | {row['milliseconds_per_source']:.2f} | {setup} | {100 * row['mean_relative_error']:.3g} % "
          f"| {100 * row['p99_relative_error']:.3g} % | {100 * row['max_relative_error']:.3g} % | {row['epsilon']:.2g} |")


def print_report(report):
    by_name = {row["method"]: row for row in report["results"]}
    print(f"\n| {pathlib.Path(report['mesh']).name}, {report['vertices']:,} vertices | ms per source | set-up ms | mean error | "
          "99 % | maximum | ε |")
    print("|---|---|---|---|---|---|---|")
    for row in report["results"]:
        print_row(row["method"], row, f"{row['setup_milliseconds']:.0f}")
    for row in report["batched"]:
        print_row(f"geodome {row['method']}, batched, l = {row['landmarks']:,}", row, "")
    print()
    ours, exact = by_name["geodome auto"], by_name["geodome exact"]
    for peer in ("CGAL heat", "CGAL heat, intrinsic Delaunay", "potpourri3d heat"):
        if peer in by_name:
            row = by_name[peer]
            error = ours["mean_relative_error"] / row["mean_relative_error"]
            print(f"- default against {peer}: {row['milliseconds_per_source'] / ours['milliseconds_per_source']:.1f}× "
                  f"faster, {error:.3f} of its mean error")
    for peer in ("CGAL exact", "pygeodesic exact"):
        if peer in by_name:
            row = by_name[peer]
            print(f"- exact against {peer}: {row['milliseconds_per_source'] / exact['milliseconds_per_source']:.1f}× "
                  f"faster, largest relative difference {row['max_relative_error']:.1e}")
    for row in report["batched"]:
        single = by_name.get(f"geodome {row['method']}")
        if single:
            print(f"- {row['method']}, batched, l = {row['landmarks']:,}: "
                  f"{single['milliseconds_per_source'] / row['milliseconds_per_source']:.1f}× faster than one by one")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder of the bench preset")
    parser.add_argument("mesh", nargs="*", help="triangle meshes; default: a bumpy sphere")
    parser.add_argument("--json", type=pathlib.Path, help="also write all numbers to this file")
    arguments, options = parser.parse_known_args()
    reports = []
    for mesh in arguments.mesh or [None]:
        reports.append(run(arguments.build, mesh, options))
        print_report(reports[-1])
        sys.stdout.flush()
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=2) + "\n")


if __name__ == "__main__":
    main()
