#!/usr/bin/env python3
"""Whether `geodome build --error E` meets E, and at how many bytes. Builds with several seeds, and measures each file on rows
drawn by another seed (`geodome evaluate --rows 200`, exact distances). The best fixed setting is the smallest number of
landmarks, found by bisection, whose file meets E on such rows, one for each of the first seeds. Prints a Markdown table: runs
that met E, the largest error relative to E, and bytes relative to the best setting, without the shape. Every build is printed
to standard error.

    bench/target.py PROGRAM SHAPE E [SHAPE E ...] [--seeds 20] [--best 1] [--rows 200] [BUILD OPTIONS]

Options that the script does not know, such as --method sbha, are passed to `geodome build`.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


class Builds:
    def __init__(self, options, shape, error, more, folder):
        self.options, self.shape, self.target, self.more = options, shape, error, more
        self.file = folder / "matrix.geodome"

    def call(self, *words):
        """The JSON report; None where the error was not reached."""
        done = subprocess.run([self.options.program, *map(str, words), "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def build(self, seed, *how):
        return self.call("build", self.shape, "-o", self.file, "--fresh", "--seed", seed, *self.more, *how)

    def error(self, seed):
        """On rows that are drawn apart from those of the build."""
        return self.call("evaluate", self.file, "--rows", self.options.rows, "--seed", 10_000 + seed)["relative_error"]

    def meets(self, seed, landmarks):
        report = self.build(seed, "--landmarks", landmarks, "--no-certificate")
        return report, self.error(seed) <= self.target

    def best(self, seed, start):
        """The bytes of the smallest number of landmarks that meets the error; within 3 %."""
        low, high, found = 1, start, None
        while True:
            report, met = self.meets(seed, high)
            if met:
                found = report
                break
            low, high = high, high * 5 // 4 + 1
        while high - low > max(1, 0.03 * low):
            middle = (low + high) // 2
            report, met = self.meets(seed, middle)
            low, high, found = (low, middle, report) if met else (middle, high, found)
        return high, found["bytes"]


def measure(options, shape, target, more):
    met, parts, sizes = 0, [], {}
    with tempfile.TemporaryDirectory() as folder:
        builds = Builds(options, shape, target, more, pathlib.Path(folder))
        for seed in range(options.seeds):
            report = builds.build(seed, "--error", target)
            if report is None:
                print(f"{shape.name}, seed {seed}: not reached", file=sys.stderr)
                continue
            error = builds.error(seed)
            met += error <= target
            parts.append(error / target)
            sizes[seed] = report["landmarks"], report["bytes"]
            print(f"{shape.name}, seed {seed}: {report['landmarks']} landmarks, {report['bytes']} bytes, error {error:.3g}",
                  file=sys.stderr)
        ratios = []
        for seed in list(sizes)[:options.best]:
            landmarks, size = builds.best(seed, sizes[seed][0])
            ratios.append(sizes[seed][1] / size)
            print(f"{shape.name}, seed {seed}: best {landmarks} landmarks, {size} bytes", file=sys.stderr)
    ratio = f"{statistics.mean(ratios):.2f}" if ratios else "–"
    print(f"| {shape.name} | {target:g} | {met} of {options.seeds} | {max(parts, default=0):.2f} | {ratio} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="+", metavar="SHAPE E", help="shapes, and the error that each is built to")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--best", type=int, default=1)
    parser.add_argument("--rows", type=int, default=200)
    options, more = parser.parse_known_args()
    if len(options.cases) % 2:
        parser.error("expected a number after every shape")
    print("| shape | E | met | largest error / E | bytes / best |\n|---|---|---|---|---|")
    for shape, target in zip(options.cases[::2], options.cases[1::2]):
        measure(options, pathlib.Path(shape), float(target), more)
    return 0


if __name__ == "__main__":
    sys.exit(main())
