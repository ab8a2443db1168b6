#!/usr/bin/env python3
"""Errors of default builds of shapes of several components. Assemblies are built-in shapes side by side (sphere, torus, box,
plane, cylinder, drilled-plate, moebius, creature, in turn); other shapes are read from files. Prints a Markdown table of the
number of landmarks, and of mean errors as the certificates of `cell` and `sbha` state them.

    bench/assemblies.py GEODOME [SHAPE ...]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

NAMES = ("sphere", "torus", "box", "plane", "cylinder", "drilled-plate", "moebius", "creature")
# Numbers of vertices and sizes of the parts.
ASSEMBLIES = {
    "20 parts of 400 vertices": [(400, 1)] * 20,
    "100 parts of 400 vertices": [(400, 1)] * 100,
    "40 parts of 1,500 vertices": [(1500, 1)] * 40,
    "50 parts of 100 to 6,400 vertices, sizes from 1/8 to 8": [(100 * 2 ** (k % 7), 2.0 ** (k * 3 % 7 - 3))
                                                              for k in range(50)],
    "a part of 20,000 vertices and 60 of 60": [(20000, 1)] + [(60, 0.1)] * 60,
}


def call(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def read_off(path):
    """Points and triangles; some shapes have colours behind the points."""
    lines = [line.split() for line in path.read_text().splitlines()[1:]]
    vertices, faces = int(lines[0][0]), int(lines[0][1])
    points = np.array([line[:3] for line in lines[1:1 + vertices]], dtype=float)
    return points, np.array([line[1:4] for line in lines[1 + vertices:1 + vertices + faces]], dtype=int)


def write_off(path, points, triangles):
    lines = [f"OFF\n{len(points)} {len(triangles)} 0"]
    lines += [f"{x:.17g} {y:.17g} {z:.17g}" for x, y, z in points]
    lines += [f"3 {a} {b} {c}" for a, b, c in triangles]
    path.write_text("\n".join(lines) + "\n")


def assemble(program, parts, path):
    """Parts in a row, each in a box of its own."""
    points, triangles, count, right = [], [], 0, 0.0
    one = path.with_name("part.off")
    for k, (vertices, size) in enumerate(parts):
        call(program, "shape", NAMES[k % len(NAMES)], "--vertices", vertices, "-q", "-o", one)
        V, F = read_off(one)
        V = size * (V - V.min(axis=0)) / np.ptp(V, axis=0).max()
        points.append(V + [right, 0, 0])
        triangles.append(F + count)
        count, right = count + len(V), right + 1.1 * size
    write_off(path, np.concatenate(points), np.concatenate(triangles))


def measure(program, name, shape, folder):
    built = {method: json.loads(call(program, "build", shape, "--method", method, "--fresh", "--json", "-q", "-o",
                                     folder / "matrix.geodome")) for method in ("cell", "sbha")}
    cell, sbha = built["cell"], built["sbha"]
    errors = [100 * one["measured_error"]["mean_relative_error"] for one in (cell, sbha)]
    print(f"| {name} | {cell['vertices']:,} | {cell['components']} | {cell['landmarks']:,} | {errors[0]:.2f} % | "
          f"{cell['bytes']:,} | {errors[1]:.2f} % |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shapes", type=pathlib.Path, nargs="*")
    options = parser.parse_args()
    print("| shape | vertices | components | landmarks | `cell` | bytes | `sbha` |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, parts in ASSEMBLIES.items():
            assemble(options.program, parts, folder / "assembly.off")
            measure(options.program, title, folder / "assembly.off", folder)
        for shape in options.shapes:
            measure(options.program, shape.name, shape, folder)


if __name__ == "__main__":
    main()
