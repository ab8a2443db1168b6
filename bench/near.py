#!/usr/bin/env python3
"""Near distances of default builds against exact ones. For every mesh: the mean and the worst relative error of pairs within
one landmark spacing, the mean error of pairs between one and three spacings, both with --near exact and with --near blend,
and of how many vertices the ten nearest are the true ten (of equally near ones any). Prints a Markdown table.

    bench/near.py PROGRAM MESH-OR-FOLDER [...] [--vertices 40] [--seed 1] [BUILD OPTIONS]

Options that the script does not know, such as --method sbha, are passed to `geodome build`. Of a folder all files are taken.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np


def call(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def relative_errors(exact, found, low, high):
    chosen = np.isfinite(exact) & (exact > 0) & (exact > low) & (exact <= high)
    return np.abs(found[chosen] - exact[chosen]) / exact[chosen]


def true_tens(program, matrix, vertices, exact):
    """Of how many vertices the ten nearest have the ten smallest distances."""
    count = 0
    answer = json.loads(call(program, "query", matrix, *vertices, "--nearest", 10, "--json"))
    for row, found in zip(exact, answer["neighbours"]):
        smallest = np.sort(row)[1:11]
        count += bool(np.allclose(np.sort(row[found]), smallest, rtol=1e-6, atol=0))
    return count


def percent(share):
    """Without exponents; 0 below 1e-12 %."""
    number = 100 * share
    return "0 %" if number < 1e-12 else f"{number:,.0f} %" if number >= 100 else f"{number:.2g} %"


def measure(program, mesh, options, more, folder):
    matrix, rows, sources = folder / "matrix.geodome", folder / "rows.npy", folder / "vertices.txt"
    report = json.loads(call(program, "build", mesh, "-o", matrix, "--fresh", "--json", *more))
    band = next(one for one in report["measured_error"]["by_distance"] if one["to_spacings"] == 1)
    spacing = band["to"]
    vertices = random.Random(options.seed).sample(range(report["vertices"]), min(options.vertices, report["vertices"]))
    sources.write_text("\n".join(map(str, vertices)) + "\n")
    call(program, "distances", mesh, "--source", ",".join(map(str, vertices)), "--geodesic", "exact", "-q", "-o", rows)
    exact = np.load(rows)
    cells = [mesh.name, f"{report['vertices']:,}", f"{report['landmarks']:,}"]
    far = {}
    for near in ("exact", "blend"):
        call(program, "rows", matrix, "--list", sources, "--near", near, "-q", "-o", rows)
        found = np.load(rows)
        close = relative_errors(exact, found, 0, spacing)
        far[near] = relative_errors(exact, found, spacing, 3 * spacing).mean()
        cells += [percent(close.mean()), percent(close.max())]
    cells += [percent(far["exact"]), percent(far["blend"]),
              f"{true_tens(program, matrix, vertices, exact)} of {len(vertices)}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("meshes", type=pathlib.Path, nargs="+")
    parser.add_argument("--vertices", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options, more = parser.parse_known_args()
    meshes = [file for path in options.meshes for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    print("| mesh | vertices | landmarks | ≤ 1 spacing: mean | worst | blend: mean | worst | 1 to 3 spacings: mean | blend "
          "| true ten nearest |\n|" + "---|" * 10)
    with tempfile.TemporaryDirectory() as folder:
        for mesh in meshes:
            measure(options.program, mesh, options, more, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
