#!/usr/bin/env python3
"""Runs `geodome compare` and prints a Markdown table of its results: a row per method and a column per number of landmarks
or (--by-vertices) of vertices, or (--list) a row per run.

    bench/compare.py GEODOME FIGURES [--list | --by-vertices] -- ARGUMENTS OF geodome compare

FIGURES are separated by commas: error (ε), mean, p99, stress (normalised), stress-above (per cent above that of the method
exact), bytes, reference-bytes, workspace-bytes, cpu (seconds), weights (large entries per row of P). Figures joined by + share a cell. FIGURE@L is one column, of
the number of landmarks L. Where runs are repeated, the median is printed, and with FIGURE:range the smallest and the largest.
"""

import argparse
import json
import statistics
import subprocess
import sys

KEYS = {"error": "relative_error", "mean": "mean_relative_error", "p99": "p99_relative_error", "stress": "normalised_stress",
        "bytes": "bytes", "reference-bytes": "reference_bytes", "workspace-bytes": "workspace_bytes", "cpu": "cpu_seconds",
        "weights": "large_weights_per_row"}
WORDS = {"error": "ε", "mean": "mean error", "p99": "99 %", "stress": "stress", "stress-above": "stress above exact, %",
         "bytes": "bytes", "reference-bytes": "bytes, by the paper's accounting", "workspace-bytes": "workspace",
         "cpu": "CPU s", "weights": "entries of P above 10⁻³ per row"}


def size_text(count):
    unit, name = (1e9, "GB") if count >= 1e9 else (1e6, "MB")
    return f"{count / unit:.2g} {name}" if count < 100 * unit else f"{count / unit:.0f} {name}"


def number_text(figure, value):
    if figure == "error":
        digits, _, exponent = f"{value:.2e}".partition("e")
        return f"{digits}e{int(exponent)}" if value < 0.1 else f"{value:.2g}"
    if figure in ("mean", "p99"):
        return f"{100 * value:.2g} %" if value < 1 else f"{100 * value:.0f} %"
    if figure.endswith("bytes"):
        return size_text(value)
    return f"{value:.4f}" if figure == "stress" else f"{value:.3g}"


class Results:
    def __init__(self, report):
        self.runs, self.refused = report["results"], report.get("refused", [])
        exact = [run["normalised_stress"] for run in self.runs if run["method"] == "exact"]
        self.exact_stress = exact[0] if exact else None

    def values(self, figure, runs):
        if figure == "stress-above":
            return [100 * (run["normalised_stress"] / self.exact_stress - 1) for run in runs]
        return [run[KEYS[figure]] for run in runs if run.get(KEYS[figure]) is not None]

    def cell(self, figures, runs):
        parts = []
        for figure in figures.split("+"):
            name, _, kind = figure.partition(":")
            values = self.values(name, runs)
            if not values:
                continue
            ends = (min(values), max(values)) if kind == "range" else (statistics.median(values),)
            parts.append(" … ".join(number_text(name, value) for value in ends))
        return ", ".join(parts)


def row_name(run, several_shapes):
    method = run["method"] if not run["nonzeros"] else f"{run['method']}, p = {run['nonzeros']}"
    return f"{run['shape']}, {run['vertices']:,} vertices | `{run['method']}`" if several_shapes else (
        f"`{run['method']}`" + method[len(run["method"]):])


def title(figures):
    names = [figure.partition(":") for figure in figures.split("+")]
    return ", ".join(WORDS[name] + (", smallest … largest" if kind == "range" else "") for name, _, kind in names)


def print_list(results, figures):
    print("| shape | method | landmarks | " + " | ".join(title(one) for one in figures) + " |")
    print("|---" * (3 + len(figures)) + "|")
    groups = {}
    for run in results.runs:
        groups.setdefault((row_name(run, True), run["landmarks"]), []).append(run)
    for (name, landmarks), runs in groups.items():
        print(f"| {name} | {landmarks or ''} | " + " | ".join(results.cell(one, runs) for one in figures) + " |")


def print_table(results, figures, key):
    """Columns by `key`: landmarks or vertices. Methods without landmarks have the same results in all columns of landmarks."""
    letter = "l" if key == "landmarks" else "n"
    counts = sorted({run[key] for run in results.runs if run[key]})
    columns = []
    for one in figures:
        name, _, only = one.partition("@")
        columns += [(name, count) for count in ([int(only)] if only else counts)]
    print("| | " + " | ".join(f"{title(name)}, {letter} = {count:,}" for name, count in columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name in dict.fromkeys(row_name(run, False) for run in results.runs):
        own = [run for run in results.runs if row_name(run, False) == name]
        cells = [results.cell(figures_of, [run for run in own if run[key] in (count, None, 0)])
                 for figures_of, count in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("figures")
    parser.add_argument("--list", action="store_true", help="a row per run")
    parser.add_argument("--by-vertices", action="store_true", help="a column per number of vertices")
    before, after = (sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]) if "--" in sys.argv else (
        sys.argv[1:], [])
    options = parser.parse_args(before)
    done = subprocess.run([options.program, "compare", *after, "--json", "-q"], check=True, stdout=subprocess.PIPE, text=True)
    results = Results(json.loads(done.stdout))
    if options.list:
        print_list(results, options.figures.split(","))
    else:
        print_table(results, options.figures.split(","), "vertices" if options.by_vertices else "landmarks")
    for reason in dict.fromkeys(run["reason"] for run in results.refused):
        print(f"\nRefused: {reason}")


if __name__ == "__main__":
    main()
