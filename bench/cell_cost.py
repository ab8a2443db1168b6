#!/usr/bin/env python3
"""Cost of builds with the method cell on one thread. Prints Markdown tables: a creature of 40,000 vertices with increasing
numbers of landmarks, and what opening its file takes (`geodome query` of one pair); then, of each SHAPE, builds with
1,000 landmarks by cell and by sbha. Seconds are processor time of user and system.

    bench/cell_cost.py GEODOME [SHAPE ...] [--landmarks 1000,4000,8000]
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from cells import read_sections


def run(*command):
    """What the program prints, its processor seconds and its peak memory."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([str(word) for word in command], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"cell_cost: {command[1]} failed")
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def build(program, shape, method, landmarks, output):
    printed, seconds, peak = run(program, "build", shape, "--method", method, "--landmarks", landmarks, "--geodesic",
                                 "marching", "--threads", 1, "--fresh", "--json", "-q", "-o", output)
    return json.loads(printed), seconds, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shapes", type=pathlib.Path, nargs="*")
    parser.add_argument("--landmarks", type=lambda text: [int(part) for part in text.split(",")], default=[1000, 4000, 8000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shape, matrix = folder / "creature.ply", folder / "matrix.geodome"
        run(options.program, "shape", "creature", "--vertices", 40000, "-q", "-o", shape)
        print("| creature, 40,000 vertices: landmarks | build, CPU s | peak | bytes | W, bits per pair | bytes per vertex | "
              "opening, CPU s | memory |\n|---|---|---|---|---|---|---|---|")
        for landmarks in options.landmarks:
            report, seconds, peak = build(options.program, shape, "cell", landmarks, matrix)
            sections = read_sections(matrix)
            pairs = landmarks * (landmarks - 1) / 2
            W = sections["CDST"][1] if "CDST" in sections else sections["WVAL"][1]
            _, opening, memory = run(options.program, "query", matrix, 0, report["vertices"] // 2, "--json", "--threads", 1)
            print(f"| {landmarks:,} | {seconds:.1f} | {peak / 1e6:.0f} MB | {report['bytes']:,} | {8 * W / pairs:.1f} | "
                  f"{sections['CVRT'][1] / report['vertices']:.1f} | {opening:.2f} | {memory / 1e6:.0f} MB |", flush=True)
        if options.shapes:
            print("\n| 1,000 landmarks | vertices | `cell`, CPU s | `sbha`, CPU s |\n|---|---|---|---|")
        for file in options.shapes:
            report, cell, _ = build(options.program, file, "cell", 1000, matrix)
            _, sbha, _ = build(options.program, file, "sbha", 1000, matrix)
            print(f"| {file.name} | {report['vertices']:,} | {cell:.1f} | {sbha:.1f} |", flush=True)


if __name__ == "__main__":
    main()
