#!/usr/bin/env python3
"""Measures by how much paths by descent of approximate distances (geodome path --geodesic marching, carried, heat) are
longer than shortest paths, from some vertices to others spread over each shape. Prints a Markdown table.

    bench/paths.py GEODOME SHAPE... [--sources N] [--targets N] [--json FILE]

Seconds are processor time of the program for one source, reading the file included. A path is counted as shortest if it
is longer by less than 1e-9 of its length.
"""

import argparse
import json
import pathlib

import numpy as np

from workbench import timed

METHODS = ("exact", "marching", "carried", "heat")


def lengths(program, shape, source, targets, method):
    report, seconds = timed([program, "path", shape, source, *targets, "--geodesic", method, "--threads", 1, "--json"])
    found = [path["length"] for path in json.loads(report)["paths"]]
    return np.array([np.nan if length is None else length for length in found]), seconds


def measure(program, shape, count, wanted):
    vertices = json.loads(timed([program, "info", shape, "--json"])[0])["vertices"]
    sources = np.linspace(0, vertices - 1, count).astype(int)
    targets = np.linspace(1, vertices - 2, wanted).astype(int)
    found = {method: [lengths(program, shape, source, targets, method) for source in sources] for method in METHODS}
    exact = np.concatenate([row for row, _ in found["exact"]])
    known = exact > 0
    results = []
    for method in METHODS:
        longer = np.concatenate([row for row, _ in found[method]])[known] / exact[known] - 1
        results.append({"method": method, "paths": int(known.sum()), "shortest": float((longer < 1e-9).mean()),
                        "mean": float(longer.mean()), "largest": float(longer.max()),
                        "least": float(longer.min()), "cpu": float(np.median([seconds for _, seconds in found[method]]))})
    return {"shape": shape.name, "vertices": vertices, "results": results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="build/release/geodome")
    parser.add_argument("shapes", type=pathlib.Path, nargs="+", help="files of meshes")
    parser.add_argument("--sources", type=int, default=5)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--json", type=pathlib.Path, help="also write all numbers to this file")
    options = parser.parse_args()
    print(f"| shape | vertices | paths | {' | '.join(METHODS[1:])} | CPU s: {' / '.join(METHODS)} |")
    print("|---" * (4 + len(METHODS[1:])) + "|")
    everything = []
    for shape in options.shapes:
        everything.append(measure(options.program, shape, options.sources, options.targets))
        rows = everything[-1]["results"]
        cells = [f"{100 * row['shortest']:.0f} %, {100 * max(0, row['mean']):.2g} %, {100 * max(0, row['largest']):.2g} %"
                 for row in rows[1:]]
        print(f"| {shape.name} | {everything[-1]['vertices']:,} | {rows[0]['paths']} | {' | '.join(cells)} | "
              f"{' / '.join(format(row['cpu'], '.2f') for row in rows)} |", flush=True)
    least = min(row["least"] for shape in everything for row in shape["results"])
    print(f"\nCells: share of shortest paths, mean excess, largest excess. No path is shorter than the exact one by more than "
          f"{max(0, -least):.1g} of its length.")
    if options.json:
        options.json.write_text(json.dumps(everything, indent=2) + "\n")


if __name__ == "__main__":
    main()
