#!/usr/bin/env python3
"""Time of the alignment in `geodome match`, and what it finds, by two programs or two sets of options in one run. The
canonical forms are computed once, by the first, and used by both. Prints a Markdown table of seconds per pair, their ratio,
shapes whose nearest has the same category, and the quotients of the distances of the second and the first.

    bench/matching.py PROGRAM [PROGRAM] SHAPE [...] [--threads 1] [--repeat 1] [--second="--candidates 5"] [OPTIONS]

A PROGRAM is an executable whose name begins with `geodome`. Options that the script does not know, such as --landmarks 300
or --ignore-size, are passed to both. Quotients count all pairs that both have aligned.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def match(program, shapes, folder, options, threads):
    command = [program, "match", *shapes, "-o", folder, "--threads", threads, "--json", *options]
    return json.loads(subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout)


def quotients(first, second):
    count = len(first["names"])
    aligned = [(i, j) for i in range(count) for j in range(i)
               if first["distances"][i][j] > 0
               and not any("estimated" in one and one["estimated"][i][j] for one in (first, second))]
    return sorted(second["distances"][i][j] / first["distances"][i][j] for i, j in aligned)


def is_program(word):
    return pathlib.Path(word).name.startswith("geodome") and os.access(word, os.X_OK)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--second", default="", help="options of the second run alone")
    options, rest = parser.parse_known_args()
    programs = [word for word in rest if is_program(word)]
    shapes = [word for word in rest if not is_program(word) and pathlib.Path(word).is_file()]
    more = [word for word in rest if not is_program(word) and not pathlib.Path(word).is_file()]
    if not programs or len(programs) > 2 or len(shapes) < 2:
        sys.exit("matching.py: expected one or two programs and at least two shapes; see --help")
    runs = [(programs[0], more), (programs[-1], more + options.second.split())]
    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder) / name for name in ("first", "second")]
        match(programs[0], shapes, folders[0], more, 0)
        shutil.copytree(folders[0] / "forms", folders[1] / "forms")
        results, seconds = [None, None], [[], []]
        for _ in range(options.repeat):
            for k, (program, arguments) in enumerate(runs):
                results[k] = match(program, shapes, folders[k], arguments, options.threads)
                if not all(results[k]["reused"]):
                    sys.exit(f"matching.py: {program} did not reuse the canonical forms")
                seconds[k].append(results[k]["seconds"]["alignment"])
    pairs = len(shapes) * (len(shapes) - 1) // 2
    print("| run | pairs aligned | seconds | ms per pair | ratio | nearest in the same category | nearest as in the first |")
    print("|---|---|---|---|---|---|---|")
    for k, (program, arguments) in enumerate(runs):
        accuracy = results[k]["category_accuracy"]
        least = min(seconds[k])
        same = sum(a == b for a, b in zip(results[0]["nearest"], results[k]["nearest"]))
        print(f"| {'first' if k == 0 else 'second'} | {results[k].get('aligned_pairs', pairs):,} | {least:.2f} "
              f"| {1000 * least / pairs:.1f} | {min(seconds[0]) / least:.1f} | {accuracy['right']} of {accuracy['of']} "
              f"| {same} of {len(shapes)} |")
    both = quotients(*results)
    print(f"\nDistances, second / first, of {len(both)} pairs: least {both[0]:.4f}, median {both[len(both) // 2]:.4f}, "
          f"mean {sum(both) / len(both):.4f}, largest {both[-1]:.4f}; {sum(q > 1.01 for q in both)} are more than 1 % "
          f"larger, {sum(q < 0.99 for q in both)} more than 1 % smaller.")


if __name__ == "__main__":
    main()
