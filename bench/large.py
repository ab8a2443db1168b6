#!/usr/bin/env python3
"""One large build with sbha from the mesh to its canonical form and its measured error. Prints Markdown tables: seconds and
peak memory of every stage of the build, then what was built, embedded and measured.

    bench/large.py GEODOME MESH [--landmarks 50000] [--subdivide 1] [--threads 2] [--rows 20] [--stress-rows 50]

The mesh is the largest component of MESH, every face split in four for each of --subdivide.
"""

import argparse
import json
import pathlib
import tempfile

from workbench import timed

STAGES = {"landmark": "landmarks, and set-up of the solver", "laplacian": "Laplacian",
          "geodesic": "W: distances between the landmarks", "interpolation": "P", "pack": "packing"}


def gigabytes(count):
    return f"{count / 1e9:.2f} GB"


def per_cent(share):
    return f"{100 * share:.2g} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("mesh", type=pathlib.Path)
    parser.add_argument("--landmarks", type=int, default=50000)
    parser.add_argument("--subdivide", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--stress-rows", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as name:
        mesh, matrix, form = (pathlib.Path(name) / file for file in ("mesh.ply", "mesh.geodome", "form.npy"))

        def call(*words, json_output=True):
            printed, seconds = timed([options.program, *words, "-q", *(["--json"] if json_output else [])])
            return (json.loads(printed) if json_output else None), seconds

        call("resample", options.mesh, "--largest-component", "--subdivide", options.subdivide, "-o", mesh, json_output=False)
        plan, _ = call("build", mesh, "--method", "sbha", "-l", options.landmarks, "-p", 50, "--precision", "uint16",
                       "--threads", options.threads, "--dry-run", "-o", matrix)
        built, cpu = call("build", mesh, "--method", "sbha", "-l", options.landmarks, "-p", 50, "--precision", "uint16",
                          "--threads", options.threads, "--fresh", "--yes", "-o", matrix)
        embedded, _ = call("embed", matrix, "-o", form, "--stress-rows", options.stress_rows, "--threads", options.threads)
        measured, _ = call("evaluate", matrix, "--rows", options.rows, "--threads", options.threads)
    seconds, peaks = built["seconds"], built["stage_peak_bytes"]
    print("| stage of `build` | seconds | peak memory |\n|---|---|---|")
    for stage, words in STAGES.items():
        if stage in seconds:
            print(f"| {words} | {seconds[stage]:.1f} | {gigabytes(peaks.get(stage, 0))} |")
    print(f"| total, with reading and writing | {seconds['total']:.1f} | {gigabytes(built['peak_bytes'])} |")
    stress, about = embedded["normalised_stress"], embedded["normalised_stress_interval"]
    low, high = measured["interval"]
    about_stress = f"{stress:.4f}, {about[0]:.4f} to {about[1]:.4f}"
    facts = {
        "vertices, landmarks, numbers in P": f"{built['vertices']:,}, {built['landmarks']:,}, {built['nonzeros']:,}",
        "planned by `--dry-run`": f"{plan['seconds']['total']:.0f} s, {gigabytes(plan['peak_bytes'])}",
        "processor time of the build": f"{cpu:,.0f} s",
        "difference of the two directions of a distance, mean": per_cent(built["disagreement"]),
        "bytes of the matrix; of the file with its shape": f"{gigabytes(built['bytes'])}; {gigabytes(built['file_bytes'])}",
        "all distances in 32-bit floats": f"{built['full_matrix_bytes'] / 1e12:.1f} TB",
        "three axes by `embed`": f"{embedded['seconds']['scaling']:.1f} s, residuals below {max(embedded['residuals']):.0e}",
        f"normalised stress on {options.stress_rows} rows of new distances, with 95 % confidence": about_stress,
        f"ε on {options.rows} rows of exact distances, with 95 % confidence":
            f"{measured['relative_error']:.2e}, {low:.2e} to {high:.2e}",
        "mean, median and 99 % relative error":
            ", ".join(per_cent(measured[f"{name}_relative_error"]) for name in ("mean", "median", "p99")),
    }
    print("\n| | |\n|---|---|")
    for name, value in facts.items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
