#!/usr/bin/env python3
"""Whether `geodome build --error E` meets E, and at how many bytes. Builds with several seeds, and measures each file on rows
drawn by another seed (`geodome evaluate --rows 200`, exact distances). The best fixed setting is the smallest number of
landmarks, found by bisection, whose file meets E on such rows, one for each of the first seeds. Prints a line per build and
a Markdown row: runs that met E, the largest error relative to E, and bytes relative to the best setting, without the shape.

    bench/target.py PROGRAM SHAPE E [--seeds 20] [--best 1] [--rows 200] [BUILD OPTIONS]

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
    def __init__(self, options, more, folder):
        self.options, self.more = options, more
        self.file = folder / "matrix.geodome"

    def call(self, *words):
        """The JSON report; None where the error was not reached."""
        done = subprocess.run([self.options.program, *map(str, words), "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def build(self, seed, *how):
        return self.call("build", self.options.shape, "-o", self.file, "--fresh", "--seed", seed, *self.more, *how)

    def error(self, seed):
        """On rows that are drawn apart from those of the build."""
        return self.call("evaluate", self.file, "--rows", self.options.rows, "--seed", 10_000 + seed)["relative_error"]

    def meets(self, seed, landmarks):
        report = self.build(seed, "--landmarks", landmarks, "--no-certificate")
        return report, self.error(seed) <= self.options.error

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shape", type=pathlib.Path)
    parser.add_argument("error", type=float)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--best", type=int, default=1)
    parser.add_argument("--rows", type=int, default=200)
    options, more = parser.parse_known_args()
    met, parts, sizes = 0, [], {}
    with tempfile.TemporaryDirectory() as folder:
        builds = Builds(options, more, pathlib.Path(folder))
        for seed in range(options.seeds):
            report = builds.build(seed, "--error", options.error)
            if report is None:
                print(f"seed {seed}: not reached", flush=True)
                continue
            error = builds.error(seed)
            met += error <= options.error
            parts.append(error / options.error)
            sizes[seed] = report["landmarks"], report["bytes"]
            print(f"seed {seed}: {report['landmarks']} landmarks, {report['bytes']} bytes, error {error:.3g}", flush=True)
        ratios = []
        for seed in list(sizes)[:options.best]:
            landmarks, size = builds.best(seed, sizes[seed][0])
            ratios.append(sizes[seed][1] / size)
            print(f"seed {seed}: best {landmarks} landmarks, {size} bytes", flush=True)
    ratio = f"{statistics.mean(ratios):.2f}" if ratios else "–"
    print(f"| {options.shape.name} | {options.error:g} | {met} of {options.seeds} | {max(parts, default=0):.2f} | "
          f"{ratio} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
