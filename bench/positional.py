#!/usr/bin/env python3
"""Bytes and ε of the method cell, with stored coordinates and with positional weights. Prints a Markdown table.

    bench/positional.py GEODOME SHAPE LANDMARKS [SHAPE LANDMARKS ...] [--rows 40]

ε is that of P W Pᵀ with near-field correction on random rows of exact distances (`geodome evaluate --seed 77`).
"""

import argparse
import json
import pathlib
import subprocess
import tempfile


def call(*command):
    return json.loads(subprocess.run([*map(str, command), "--json", "-q"], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("cases", nargs="+", metavar="SHAPE LANDMARKS")
    parser.add_argument("--rows", type=int, default=40)
    options = parser.parse_args()
    print("| shape | vertices | landmarks | ε, stored | bytes, stored | ε, positional | bytes, positional |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        matrix = pathlib.Path(folder) / "matrix.geodome"
        for shape, landmarks in zip(map(pathlib.Path, options.cases[::2]), options.cases[1::2]):
            cells = []
            for how in ([], ["--positional"]):
                report = call(options.program, "build", shape, "--landmarks", landmarks, "--fresh", "-o", matrix, *how)
                error = call(options.program, "evaluate", matrix, "--rows", options.rows, "--seed", 77, "--geodesic", "exact")
                cells += [f"{error['relative_error']:.2e}", f"{report['bytes']:,}"]
            print(f"| {shape.name} | {report['vertices']:,} | {report['landmarks']:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
