#!/usr/bin/env python3
"""Bytes of cell and other methods at the same error. For every target (a shape and an error) and every method the number of
landmarks is searched at which the mean of the seeds meets the target. Prints a Markdown table, writes every
build to OUTPUT/cells.csv and plots error against bytes to OUTPUT/cells.svg (needs matplotlib). Builds are kept in
OUTPUT/builds.json and not repeated.

    bench/cells.py PROGRAM DATA [--shapes brain bunny cortex dragon] [--methods cell sbha-50 ...] [--seeds 3]
                   [--rows 200] [--landmarks 500 1200 ...] [--output FOLDER]

With --landmarks nothing is searched: the table has a row for each method and number of landmarks.

DATA and its subfolders are searched for the shapes by name; of the dragon the largest component is taken. Methods stored
in files are compared with exact distances from random vertices that are not landmarks, with near-field correction. `bytes` are those of the file without the shape;
`arrays` are counted array by array (`bytes` of `geodome build`). Methods that no file can hold are measured by `geodome
compare`, on rows of its own and without near-field correction; their bytes are those it reports.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np

# File, geodesic method of the builds, most rows, and targets: `error` is ‖K̃ − K‖² / ‖K‖², to be met within 2 %;
# `far_mean` and `far_p99` are bounds of the relative errors of pairs farther than 1.5 landmark spacings.
TARGETS = {
    "brain": ("brain_mesh_7k.obj", "exact", 200, [{"error": 1e-4}, {"error": 3.4e-5}]),
    "bunny": ("bunny_14290.obj", "exact", 200, [{"error": 1e-5}]),
    "cortex": ("fs_LR.32k.L.midthickness.surf.gii", "marching", 200, [{"far_mean": 0.0045, "far_p99": 0.025}]),
    "dragon": ("dragon_437645.ply", "marching", 50, [{"error": 1e-5}, {"far_mean": 0.0038, "far_p99": 0.025}]),
}
METHODS = ("cell", "cell-positional", "sbha-10", "sbha-20", "sbha-50", "hybrid", "fmds-hard")
IN_MEMORY = ("hybrid", "fmds-hard")
SHAPE_SECTIONS = {"SHPK", "POIN", "TRIS", "CORN", "FOFF", "NORM", "EDGE", "ELEN", "SAMP", "LABL"}
FAR = 1.5  # landmark spacings
COLUMNS = ("shape", "method", "landmarks", "seed", "error", "raw_error", "mean", "p99", "far_mean", "far_p99", "bytes",
           "arrays", "seconds", "rows")


def call(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def read_sections(path):
    """Offset and length of every section of a .geodome file, by kind."""
    with path.open("rb") as file:
        file.seek(-64, 2)
        table, _, count = struct.unpack("<QQI", file.read(20))
        file.seek(table)
        entries = [struct.unpack("<4sIQQII", file.read(32)) for _ in range(count)]
    return {kind.decode(): (offset, length) for kind, _, offset, length, _, _ in entries}


def read_section(path, sections, kind, dtype):
    offset, length = sections[kind]
    return np.fromfile(path, dtype=dtype, offset=offset, count=length // np.dtype(dtype).itemsize)


def stored_bytes(path, sections):
    """Of the file without the shape: without its sections, their table entries and checksums."""
    total = path.stat().st_size
    for kind, (_, length) in sections.items():
        if kind in SHAPE_SECTIONS:
            total -= math.ceil(length / 64) * 64 + 32 + 4 * math.ceil(length / 2**20)
    return total


def relative_errors(exact, found, least):
    known = np.isfinite(exact) & (exact > 0)
    off = np.abs(found[known] - exact[known])
    relative = off / exact[known]
    far = relative[exact[known] > least]
    return {"error": float((off**2).sum() / (exact[known] ** 2).sum()), "mean": float(relative.mean()),
            "p99": float(np.quantile(relative, 0.99)), "far_mean": float(far.mean()),
            "far_p99": float(np.quantile(far, 0.99))}


class Bench:
    """Builds and errors on one shape."""

    def __init__(self, options, name, path, geodesic, rows, folder):
        self.options, self.name, self.geodesic, self.folder = options, name, geodesic, folder
        self.row_count = min(rows, options.rows)
        self.path = path
        if name == "dragon":  # 150 specks besides
            self.path = folder / "largest.ply"
            call(options.program, "resample", path, "--largest-component", "-q", "-o", self.path)
        self.kept = options.output / "builds.json"
        self.builds = json.loads(self.kept.read_text()) if self.kept.exists() else {}
        self.exact = None

    def reference(self):
        """Exact rows of more vertices than needed: some of them may be landmarks."""
        if self.exact is None:
            size = json.loads(call(self.options.program, "info", self.path, "--json"))["vertices"]
            chosen = random.Random(1).sample(range(size), min(size, self.row_count * 3 // 2 + 20))
            rows = self.folder / "exact.npy"
            call(self.options.program, "distances", self.path, "--source", ",".join(map(str, chosen)), "--geodesic",
                 "exact", "-q", "-o", rows)
            self.exact = np.array(chosen), np.load(rows)
        return self.exact

    def rows(self, matrix, vertices, *flags):
        (self.folder / "vertices.txt").write_text("\n".join(map(str, vertices)) + "\n")
        call(self.options.program, "rows", matrix, "--list", self.folder / "vertices.txt", "-q", "-o",
             self.folder / "rows.npy", *flags)
        return np.load(self.folder / "rows.npy")

    def measure_file(self, method, landmarks, seed):
        matrix = self.folder / "matrix.geodome"
        name, _, variant = method.partition("-")
        flags = ("--positional",) if variant == "positional" else ("-p", variant) if variant else ()
        report = json.loads(call(self.options.program, "build", self.path, "--method", name, "-l", landmarks,
                                 *flags, "--geodesic", self.geodesic, "--seed", seed,
                                 "--fresh", "--json", "-q", "-o", matrix))
        sections = read_sections(matrix)
        used = set(read_section(matrix, sections, "LAND", "<i4").tolist())
        first = read_section(matrix, sections, "CFST", "<i4")
        spacing = float(read_section(matrix, sections, "SPAC", "<f8")[np.argmax(np.diff(first))])
        chosen, exact = self.reference()
        free = np.flatnonzero([vertex not in used for vertex in chosen])[:self.row_count]
        chosen, exact = chosen[free], exact[free]
        result = relative_errors(exact, self.rows(matrix, chosen), FAR * spacing)
        result["raw_error"] = relative_errors(exact, self.rows(matrix, chosen, "--raw"), 0)["error"]
        return {**result, "landmarks": report["landmarks"], "bytes": stored_bytes(matrix, sections),
                "arrays": report["bytes"], "seconds": report["seconds"]["total"], "rows": len(free)}

    def measure_in_memory(self, method, landmarks, seed):
        with tempfile.TemporaryDirectory(dir=self.folder) as output:
            report = json.loads(call(self.options.program, "compare", self.path, "--methods", method, "-l", landmarks,
                                     "--rows", self.row_count, "--geodesic", self.geodesic, "--repeat", 1,
                                     "--no-stress", "--seed", seed, "--json", "-q", "-o", output))
        row = report["results"][0]
        return {"error": row["relative_error"], "raw_error": row["relative_error"],
                "mean": row["mean_relative_error"], "p99": row["p99_relative_error"], "landmarks": row["landmarks"],
                "bytes": row["bytes"], "arrays": row["bytes"], "seconds": row["seconds"], "rows": self.row_count}

    def build(self, method, landmarks, seed):
        key = f"{self.name} {self.geodesic} {method} {landmarks} {seed} {self.row_count}"
        if key not in self.builds:
            measure = self.measure_in_memory if method in IN_MEMORY else self.measure_file
            self.builds[key] = {"shape": self.name, "method": method, "seed": seed, **measure(method, landmarks, seed)}
            self.kept.write_text(json.dumps(self.builds, indent=1) + "\n")
            print(key, {name: self.builds[key][name] for name in ("error", "mean", "p99", "bytes")}, file=sys.stderr)
        return self.builds[key]

    def search(self, method, target):
        """The number of landmarks, a multiple of 10, at which the mean of the seeds meets the target."""
        landmarks = self.search_seed(method, target)
        for _ in range(4):
            found = mean_of([self.build(method, landmarks, seed) for seed in range(self.options.seeds)])
            if excess(found, target) <= 0:
                break
            landmarks = 10 * math.ceil(landmarks * (1.01 + excess(found, target)) / 10)
        return landmarks, found

    def search_seed(self, method, target):
        """The same for the first seed."""
        known = {build["landmarks"]: excess(build, target) for key, build in self.builds.items()
                 if key.startswith(f"{self.name} {self.geodesic} {method} ") and build["seed"] == 0}
        landmarks, power = min(known, key=lambda l: abs(known[l]), default=300), 1.25
        for _ in range(8):
            known[landmarks] = excess(self.build(method, landmarks, 0), target)
            if -0.06 < known[landmarks] <= 0:
                return landmarks
            low = max((l for l, off in known.items() if off > 0), default=0)
            high = min((l for l, off in known.items() if off <= 0), default=math.inf)
            if high - low <= 10:
                return high
            if len(known) > 1:
                one, two = sorted(known, key=lambda l: abs(known[l]))[:2]
                power = max(0.3, (known[one] - known[two]) / math.log(two / one))
            factor = min(4.0, max(0.25, math.exp((known[landmarks] + 0.01) / power)))
            landmarks = 10 * math.ceil(landmarks * factor / 10)
            if high < math.inf:
                landmarks = min(max(landmarks, low + 10), high - 10)
            elif landmarks <= low:
                landmarks = low + 10
        return min((l for l, off in known.items() if off <= 0), default=max(known))


def excess(found, target):
    """Logarithm of the factor by which the target is missed; not positive where it is met."""
    return max(math.log(found[name] / most) - (0.02 if name == "error" else 0) for name, most in target.items())


def mean_of(builds):
    return {name: float(np.mean([build[name] for build in builds]))
            for name in builds[0] if isinstance(builds[0][name], (int, float)) and name != "seed"}


def target_text(target):
    words = {"error": lambda value: f"ε = {value:.2g}", "far_mean": lambda value: f"mean, far {100 * value:.2g} %",
             "far_p99": lambda value: f"99 %, far {100 * value:.2g} %"}
    return ", ".join(words[name](value) for name, value in target.items())


def method_text(method):
    return f"`sbha`, p = {method.split('-')[1]}" if method.startswith("sbha-") else f"`{method}`"


def print_table(rows):
    def per_cent(row, name):
        return f"{100 * row[name]:.2f} %" if name in row else "–"

    print("| shape, target | method | landmarks | bytes | arrays | ε | mean | 99 % | mean, far | 99 %, far |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for shape, target, method, row in rows:
        where = f"{shape}, {target_text(target)}" if target else shape
        print(f"| {where} | {method_text(method)} | {row['landmarks']:,.0f} | {row['bytes']:,.0f} | "
              f"{row['arrays']:,.0f} | {row['error']:.3g} | {per_cent(row, 'mean')} | {per_cent(row, 'p99')} | "
              f"{per_cent(row, 'far_mean')} | {per_cent(row, 'far_p99')} |")


def print_ratios(rows):
    """For each target: how many times fewer bytes a file of cell takes than those of the others."""
    targets = list(dict.fromkeys((shape, target_text(target)) for shape, target, _, _ in rows if target))
    if targets:
        print()
    for shape, words in targets:
        size = {method: row["bytes"] for name, target, method, row in rows if (name, target_text(target)) == (shape, words)}
        if "cell" not in size:
            continue
        sbha = [bytes for method, bytes in size.items() if method.startswith("sbha")]
        peers = [("the smallest of `sbha`", min(sbha))] if sbha else []
        peers += [(f"`{method}`", size[method]) for method in IN_MEMORY if method in size]
        if peers:
            ratios = ", ".join(f"{bytes / size['cell']:.0f} times fewer than {name}" for name, bytes in peers)
            print(f"- Bytes of `cell` on {shape}, {words}: {ratios}.")


def write_csv(builds, path):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(sorted(builds, key=lambda build: [build[name] for name in COLUMNS[:4]]))


def draw(builds, path):
    try:
        import matplotlib
    except ImportError:
        print("no figure: matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("svg")
    from matplotlib import pyplot
    shapes = sorted({build["shape"] for build in builds})
    figure, axes = pyplot.subplots(1, len(shapes), figsize=(4 * len(shapes), 4), layout="constrained", squeeze=False)
    for axis, shape in zip(axes[0], shapes):
        for method in METHODS:
            own = sorted((build for build in builds if build["shape"] == shape and build["method"] == method),
                         key=lambda build: build["bytes"])
            if own:
                axis.loglog([build["bytes"] for build in own], [build["error"] for build in own], "o-", label=method)
        axis.set(title=shape, xlabel="bytes", ylabel="ε")
        axis.grid(True, which="both", alpha=0.2)
        axis.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the geodome program")
    parser.add_argument("data", type=pathlib.Path, help="folder with the shapes, also in subfolders")
    parser.add_argument("--shapes", nargs="+", choices=TARGETS, default=["brain", "bunny", "cortex"])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=200, help="exact rows that errors are measured on, at most (dragon: 50)")
    parser.add_argument("--landmarks", type=int, nargs="+", help="numbers of landmarks to build with, instead of a search")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("cells"))
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    rows, builds = [], []
    for name in options.shapes:
        file, geodesic, rows_at_most, targets = TARGETS[name]
        path = next(options.data.rglob(file), None)
        if path is None:
            raise SystemExit(f"{file} is not in {options.data}")
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(options, name, path, geodesic, rows_at_most, pathlib.Path(folder))
            for landmarks in options.landmarks or []:
                for method in options.methods:
                    some = [bench.build(method, landmarks, seed) for seed in range(options.seeds)]
                    rows.append((name, {}, method, mean_of(some)))
            for target in [] if options.landmarks else targets:
                for method in options.methods:
                    if method in IN_MEMORY and "error" not in target:
                        continue  # geodome compare measures without near-field correction
                    rows.append((name, target, method, bench.search(method, target)[1]))
            builds += [build for key, build in bench.builds.items() if key.startswith(f"{name} {geodesic} ")]
    print_table(rows)
    print_ratios(rows)
    write_csv(builds, options.output / "cells.csv")
    draw(builds, options.output / "cells.svg")


if __name__ == "__main__":
    main()
