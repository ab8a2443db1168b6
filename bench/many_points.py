#!/usr/bin/env python3
"""Times `geodome build` of a cloud of terrain points in map coordinates near 5e6, some of them twice, and `geodome build` and
`embed` (Isomap) of samples of a rolled sheet in ten dimensions. Compares the ten nearest vertices by `geodome query` with those
by straight lines within a ball, where paths over the terrain are nearly straight. Prints a Markdown table.

    bench/many_points.py PROGRAM [--points 500000] [--samples 200000] [--threads 2] [--queries 50]
"""

import argparse
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np

from samples import roll

ORIGIN = np.array([4_512_000.0, 5_403_000.0, 0.0])


def terrain(random, count):
    """Gentle hills over a square of 2 km; one point in fifty is there twice."""
    plan = 2000 * random.random((count, 2))
    height = 8 * np.sin(plan[:, 0] / 90) * np.cos(plan[:, 1] / 120) + 3 * np.sin(plan.sum(1) / 40)
    points = np.column_stack([plan, height]) + ORIGIN
    twice = random.choice(count, count // 50, replace=False)
    points[twice] = points[(twice + 1) % count]
    return points


def run(command):
    """What it printed as JSON, and seconds on the clock and of processors."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    printed = subprocess.run([*map(str, command), "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(printed), time.monotonic() - begin, processor


def near_field(program, file, points, random, queries):
    """How many of the ten nearest vertices are among the ten that straight lines find nearest, with 1 % to spare."""
    chosen = random.choice(len(points), queries, replace=False)
    found, _, _ = run([program, "query", file, *chosen, "--nearest", 10])
    right = 0
    for source, neighbours in zip(chosen, found["neighbours"]):
        straight = np.linalg.norm(points - points[source], axis=1)
        tenth = np.partition(straight, 10)[10]  # the source itself is the first
        right += int((straight[neighbours] <= 1.01 * tenth).sum())
    return right, 10 * queries


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--points", type=int, default=500_000)
    parser.add_argument("--samples", type=int, default=200_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--queries", type=int, default=50)
    options = parser.parse_args()
    random = np.random.default_rng(1)
    print(f"| {options.threads} threads | step | seconds | CPU s | memory | result |\n|---|---|---|---|---|---|")

    def row(name, step, report, clock, processor, result):
        memory = f"{report['peak_bytes'] / 1e9:.2f} GB" if "peak_bytes" in report else ""
        print(f"| {name} | `{step}` | {clock:.1f} | {processor:.1f} | {memory} | {result} |", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        points = terrain(random, options.points)
        np.savetxt(folder / "cloud.xyz", points, fmt="%.3f")
        points = np.loadtxt(folder / "cloud.xyz")
        report, *times = run([options.program, "build", folder / "cloud.xyz", "-o", folder / "cloud.geodome", "--threads",
                              options.threads])
        error = f"mean error {100 * report['measured_error']['mean_relative_error']:.2g} %"
        right, of = near_field(options.program, folder / "cloud.geodome", points, random, options.queries)
        row(f"cloud of {options.points:,} points", "build", report, *times, f"{error}; {right} of {of} nearest")
        np.save(folder / "roll.npy", roll(random, options.samples))
        report, *times = run([options.program, "build", folder / "roll.npy", "-o", folder / "roll.geodome", "--threads",
                              options.threads])
        error = f"mean error {100 * report['measured_error']['mean_relative_error']:.2g} %"
        row(f"{options.samples:,} samples", "build", report, *times, error)
        report, *times = run([options.program, "embed", folder / "roll.geodome", "-o", folder / "form.npy", "--threads",
                              options.threads])
        row(f"{options.samples:,} samples", "embed", report, *times, f"residuals {max(report['residuals']):.1g}")


if __name__ == "__main__":
    main()
