#!/usr/bin/env python3
"""Estimates builds with geodome-mpi from the rates of one measured build. Prints a Markdown table.

    geodome build MESH --method sbha -l 5000 --threads 1 --no-certificate --json -o x.geodome > measured.json
    bench/cluster_estimate.py measured.json [--case 1e7,200000 ...] [--threads 32] [--network 1e9] [--disk 1e9]

The model, for n vertices, l landmarks and c cores in ranks of --threads each:

  every rank by itself    n        landmarks, their order, the solver, the Laplacian, packing
  W                       n l / c  rows of the solver; no more cores than clusters of 64 landmarks
  P                       n / c    no more cores than clusters of 32 landmarks; patches, without a factor of the whole
  exchange of W           4 l² / ranks bytes through the network interface of each rank, both directions of its part;
                          where every rank holds all of W, 2 l² more
  file                    written by all ranks; where a temporary file holds W, that is written and read besides

Rates are those of the measured build, each stage in proportion to what stands beside it. What the model leaves out:
latencies, unequal shares, other shapes, and memory that is slower when all cores use it. It is a guess within a factor
of two or so, not a measurement.
"""

import argparse
import json

SERIAL = ("landmark", "laplacian", "pack")


def rates(report):
    """Seconds per vertex: by itself, for each landmark of W, of P."""
    seconds, n, l = report["seconds"], report["vertices"], report["landmarks"]
    return (sum(seconds.get(stage, 0) for stage in SERIAL) / n, seconds["geodesic"] / (n * l),
            seconds["interpolation"] / n)


def estimate(rate, n, l, cores, options):
    alone, row, weights = rate
    ranks, in_file = max(1, cores // options.threads), divided(l, options)
    parts = {"every rank": alone * n,
             "W": row * n * l / min(cores, max(1, l / 64)),
             "P": weights * n / min(cores, max(1, l / 32)),
             "exchange": 0 if ranks == 1 else (4 / ranks + (0 if in_file else 2)) * l * l / options.network,
             "file": (file_bytes(n, l, options) + (2 * w_bytes(l, options) if in_file else 0)) / options.disk}
    return parts


def w_bytes(l, options):
    return options.bytes_per_distance * l * (l + 1) / 2


def divided(l, options):
    """Whether W is in a temporary file, by the default of --landmark-memory."""
    return w_bytes(l, options) > options.memory / 2


def file_bytes(n, l, options):
    return w_bytes(l, options) + n * options.nonzeros * 4 + 36 * n


def memory(n, l, ranks, options):
    """Of a rank: mesh, solver and P by vertex; all of W, or its part; rows of W that are measured and exchanged."""
    together = min(l, max(1280, (1 << 24) / l))
    W = w_bytes(l, options)
    rows = 12 * together * l if ranks == 1 else 16 * together * l + 4 * min(1, ranks * together / l) * W / ranks
    part = W if not divided(l, options) else 0 if ranks == 1 else W / ranks
    return options.bytes_per_vertex * n + part + rows


def duration(seconds):
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"


def case(words):
    n, l = words.split(",")
    return float(n), float(l)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", help="what geodome build --json printed, of one thread")
    parser.add_argument("--case", type=case, action="append", help="vertices,landmarks")
    parser.add_argument("--cores", default="1,32,128,512,1024")
    parser.add_argument("--threads", type=int, default=32, help="of a rank, which has a node of so many cores")
    parser.add_argument("--network", type=float, default=1e9, help="bytes per second of a rank")
    parser.add_argument("--disk", type=float, default=1e9, help="bytes per second")
    parser.add_argument("--memory", type=float, default=256e9, help="bytes of a rank")
    parser.add_argument("--nonzeros", type=int, default=50)
    parser.add_argument("--bytes-per-vertex", type=float, default=2500)
    parser.add_argument("--bytes-per-distance", type=float, default=4)
    options = parser.parse_args()
    with open(options.measured, encoding="utf-8") as file:
        report = json.load(file)
    rate = rates(report)
    print(f"Estimates from {report['vertices']:,} vertices and {report['landmarks']:,} landmarks: "
          f"{1e6 * rate[0]:.3g} µs per vertex on every rank, {1e9 * rate[1]:.3g} ns per vertex and landmark for W, "
          f"{1e6 * rate[2]:.3g} µs per vertex for P\n")
    names = ["every rank", "W", "P", "exchange", "file"]
    print("| vertices | landmarks | cores | total | " + " | ".join(names) + " | memory of a rank |")
    print("|" + "---|" * (len(names) + 5))
    for n, l in options.case or [(1e7, 2e5), (1e8, 1e6)]:
        for cores in map(int, options.cores.split(",")):
            parts = estimate(rate, n, l, cores, options)
            row = [f"{n:.0e}", f"{l:,.0f}", str(cores), duration(sum(parts.values()))]
            ranks = max(1, cores // options.threads)
            row += [duration(parts[name]) for name in names] + [f"{memory(n, l, ranks, options) / 1e9:,.0f} GB"]
            print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
