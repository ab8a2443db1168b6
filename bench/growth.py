#!/usr/bin/env python3
"""Measures the cost of a build with sbha and of a canonical form for increasing numbers of vertices and landmarks. Every
run writes its output to FOLDER (MESH-LANDMARKS-THREADS.json) and is skipped if that file exists. Prints Markdown tables
of all runs in FOLDER, and plots them with --plot (needs matplotlib).

    bench/growth.py GEODOME FOLDER MESH [MESH ...] [--landmarks 1000,5000,20000] [--threads 1,2] [--plot growth.svg]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

STAGES = ("landmark", "geodesic", "laplacian", "interpolation", "pack")


def run_program(command):
    """The output of the program, and its processor seconds."""
    before = os.times()
    report = json.loads(subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE).stdout)
    after = os.times()
    report["cpu_seconds"] = (after.children_user - before.children_user
                             + after.children_system - before.children_system)
    return report


def measure(options, mesh, landmarks, threads):
    kept = options.folder / f"{mesh.stem}-{landmarks}-{threads}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    matrix = kept.with_suffix(".geodome")
    report = {"mesh": mesh.stem, "threads": threads}
    report["build"] = run_program([options.program, "build", mesh, "--method", "sbha", "-l", landmarks, "-p",
                                   options.nonzeros, "--precision", "uint16", "--threads", threads, "--json", "-q",
                                   "--fresh", "-o", matrix])
    report["embed"] = run_program([options.program, "embed", matrix, "--stress-rows", 0, "--threads", threads, "--json",
                                   "-q", "-o", kept.with_suffix(".npy")])
    for leftover in (matrix, kept.with_suffix(".npy")):
        leftover.unlink()
    kept.write_text(json.dumps(report, indent=2) + "\n")
    return report


def print_growth(reports):
    print("| vertices | landmarks | build, s | landmarks, s | W, s | P, s | eigenproblem, s | CPU s | peak | file |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for report in reports:
        build, seconds = report["build"], report["build"]["seconds"]
        print(f"| {build['vertices']:,} | {build['landmarks']:,} | {seconds['total']:.1f} | {seconds['landmark']:.1f} | "
              f"{seconds['geodesic']:.1f} | {seconds['interpolation']:.1f} | {report['embed']['seconds']['scaling']:.1f} | "
              f"{build['cpu_seconds']:.0f} | {build['peak_bytes'] / 1e9:.2f} GB | {build['file_bytes'] / 1e6:,.0f} MB |")


def print_threads(pairs):
    if pairs:
        print("\n| vertices | landmarks | stage | one thread, s | two, s | speed-up |\n|---|---|---|---|---|---|")
    for one, two in pairs:
        rows = [(stage, one["build"]["seconds"][stage], two["build"]["seconds"][stage]) for stage in STAGES]
        rows.append(("build", one["build"]["seconds"]["total"], two["build"]["seconds"]["total"]))
        rows.append(("eigenproblem", one["embed"]["seconds"]["scaling"], two["embed"]["seconds"]["scaling"]))
        for stage, alone, together in rows:
            print(f"| {one['build']['vertices']:,} | {one['build']['landmarks']:,} | {stage} | {alone:.1f} | {together:.1f} | "
                  f"{alone / together:.2f}× |")


def draw(reports, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 4), layout="constrained")
    wanted = (("build, seconds", lambda report: report["build"]["seconds"]["total"]),
              ("peak memory, GB", lambda report: report["build"]["peak_bytes"] / 1e9),
              ("file, GB", lambda report: report["build"]["file_bytes"] / 1e9))
    for axis, (label, value) in zip(axes, wanted):
        for vertices in sorted({report["build"]["vertices"] for report in reports}):
            some = sorted((report for report in reports if report["build"]["vertices"] == vertices),
                          key=lambda report: report["build"]["landmarks"])
            axis.loglog([report["build"]["landmarks"] for report in some], [value(report) for report in some], "o-",
                        label=f"{vertices:,} vertices")
        axis.set(xlabel="landmarks", ylabel=label)
        axis.grid(True, which="both", alpha=0.2)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names), frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the geodome program")
    parser.add_argument("folder", type=pathlib.Path, help="folder for the output of the runs")
    parser.add_argument("mesh", type=pathlib.Path, nargs="+", help="surfaces, smallest first")
    parser.add_argument("--landmarks", type=numbers, default=[1000, 5000, 20000])
    parser.add_argument("--nonzeros", type=int, default=50)
    parser.add_argument("--threads", type=numbers, default=[2], help="numbers of threads; 1,2 compares them stage by stage")
    parser.add_argument("--plot", type=pathlib.Path, help="plot seconds, memory and bytes to this SVG file")
    parser.add_argument("--no-tables", action="store_true", help="measure only")
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    for mesh in options.mesh:
        for landmarks in options.landmarks:
            for threads in options.threads:
                print(f"{mesh.stem}, {landmarks:,} landmarks, {threads} thread(s)", file=sys.stderr)
                measure(options, mesh, landmarks, threads)
    if options.no_tables:
        return
    reports = [json.loads(path.read_text()) for path in options.folder.glob("*.json")]
    runs = {(report["build"]["vertices"], report["build"]["landmarks"], report["threads"]): report for report in reports}
    most = max(threads for _, _, threads in runs)
    fastest = [report for key, report in sorted(runs.items()) if key[2] == most]
    print_growth(fastest)
    print_threads([(report, runs[vertices, landmarks, 2]) for (vertices, landmarks, threads), report in sorted(runs.items())
                   if threads == 1 and (vertices, landmarks, 2) in runs])
    if options.plot:
        draw(fastest, options.plot)


if __name__ == "__main__":
    main()
