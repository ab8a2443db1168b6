#!/usr/bin/env python3
"""Builds of many samples on one thread: a sphere in three dimensions and a rolled sheet in ten, with noise. Prints a Markdown
table of processor seconds, planned (--dry-run) and taken, of memory, and of errors as certified.

    bench/samples.py GEODOME [--samples 100000]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from workbench import timed

# Method, options, and what is solved for P.
CASES = [("cell", [], ""), ("sbha", [], "a part (default)"), ("sbha", ["--solver", "partial"], "all")]


def sphere(random, count):
    x = random.standard_normal((count, 3))
    return x / np.linalg.norm(x, axis=1)[:, None]


def roll(random, count):
    t, h = 1.5 * np.pi * (1 + 2 * random.random(count)), 21 * random.random(count)
    turned = np.linalg.qr(random.standard_normal((10, 10)))[0][:3]
    return np.stack([t * np.cos(t), h, t * np.sin(t)], 1) @ turned + 0.1 * random.standard_normal((count, 10))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--samples", type=int, default=100000)
    options = parser.parse_args()
    print("| samples | method | P solved for on | CPU s | planned | memory | ε | mean error |\n|---|---|---|---|---|---|---|---|")
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        file, matrix = pathlib.Path(folder) / "samples.npy", pathlib.Path(folder) / "matrix.geodome"
        for name, make in (("sphere, 3-D", sphere), ("roll, 10-D", roll)):
            np.save(file, make(random, options.samples))
            for method, how, solved in CASES:
                command = [options.program, "build", file, "--method", method, *how, "--threads", 1, "--json", "-q", "-o",
                           matrix]
                plan = json.loads(subprocess.run([*map(str, command), "--dry-run"], check=True, stdout=subprocess.PIPE,
                                                 text=True).stdout)
                printed, seconds = timed([*command, "--fresh", "--yes"])
                report = json.loads(printed)
                error = report["measured_error"]
                print(f"| {options.samples:,}, {name} | `{method}` | {solved} | {seconds:.0f} | {plan['seconds']['total']:.0f} | "
                      f"{report['peak_bytes'] / 1e9:.2f} GB | {error['relative_error']:.2g} | "
                      f"{100 * error['mean_relative_error']:.2g} % |", flush=True)


if __name__ == "__main__":
    main()
