#!/usr/bin/env python3
"""The table of the README, from the results of other benchmarks. Prints Markdown.

    bench/readme.py WORKBENCH.json PYTHON_PEERS.json BUILD.json     as written by --json
"""

import json
import pathlib
import sys


def size_text(count):
    unit, name = (1e9, "GB") if count >= 1e9 else (1e6, "MB")
    return f"{count / unit:.3g} {name}" if count >= 100 * unit else f"{count / unit:.2g} {name}"


def print_pair(task, peer, peer_row, ours, our_row):
    print(f"| {task} | {peer} | {' | '.join(peer_row)} |")
    print(f"| | **geodome**{ours} | {' | '.join(f'**{cell}**' for cell in our_row)} |")


def row(seconds, size, error, about=False, mark=""):
    shown = f"{seconds:.0f}" if seconds >= 20 else f"{seconds:.1f}"
    return [f"{'≈ ' if about else ''}{shown}", size_text(size), f"{100 * error:.2g} %{mark}"]


def peer_row(one, key, mark=""):
    return row(one["seconds"], one["bytes"], one[key], one["share"] < 1, mark)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    workbench, peers, builds = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:])
    print("| task | with | CPU s | bytes | mean error |\n|---|---|---|---|---|")
    theirs, ours = workbench["results"][:2]
    print_pair(f"all distances of a cortex, {workbench['vertices']:,} vertices ¹", "Connectome Workbench",
               row(theirs["cpu"], theirs["bytes"], theirs["mean_relative_error"]), "",
               row(ours["cpu"], ours["bytes"], ours["mean_relative_error"]))
    surfaces = [one for one in peers if "vertices" in one]
    largest, formed = surfaces[-1], [one for one in surfaces if one["forms"]][-1]
    rolls = [one for one in peers if "samples" in one and "scikit-learn's Isomap" in one["isomap"]][-1]
    heat = "potpourri3d, heat, row by row"
    print_pair(f"all distances of a surface, {largest['vertices']:,} vertices ²", "potpourri3d, row by row",
               peer_row(largest["distances"][heat], "mean_error"), "",
               peer_row(largest["distances"]["geodome.build"], "mean_error"))
    print_pair(f"canonical form of a surface, {formed['vertices']:,} vertices ²", "potpourri3d, scikit-learn's ClassicalMDS",
               peer_row(formed["forms"]["potpourri3d, then scikit-learn's ClassicalMDS"], "misfit", " ³"), "",
               peer_row(formed["forms"]["geodome: build and embed"], "misfit", " ³"))
    print_pair(f"Isomap of a swiss roll, {rolls['samples']:,} samples ²", "scikit-learn",
               peer_row(rolls["isomap"]["scikit-learn's Isomap"], "misfit", " ³"), "",
               peer_row(rolls["isomap"]["geodome.Isomap"], "misfit", " ³"))
    build, one = builds[0], builds[0]["runs"][0]
    paper = build["reference"]
    print_pair(f"the paper's method, sBHA, {build['vertices']:,} vertices ⁴", "the paper's steps in NumPy and SciPy",
               row(paper["build_cpu"], paper["bytes"], paper["W"]["mean_relative_error"]), ", `--method sbha`",
               row(one["build"]["cpu"], build["bytes"], build["W"]["mean_relative_error"]))


if __name__ == "__main__":
    main()
