#!/usr/bin/env python3
"""`geodome match` on poses of several creatures, from scratch on one thread, for several numbers of landmarks, and the effect
of --candidates on the nearest shapes. Categories are those of the file names. Prints Markdown tables.

    bench/poses.py GEODOME SHAPE ... [--landmarks 100,300,1000] [--candidates 3,5] [OPTIONS of match]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile


def match(program, shapes, folder, *options):
    command = [program, "match", *shapes, "-o", folder, "--threads", 1, "--json", "-q", *options]
    return json.loads(subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout)


def print_row(landmarks, found):
    labels, table = found["labels"], found["distances"]
    pairs = [(i, j) for i in range(len(labels)) for j in range(i)]
    within = [table[i][j] for i, j in pairs if labels[i] == labels[j]]
    between = [table[i][j] for i, j in pairs if labels[i] != labels[j]]
    right = found["category_accuracy"]
    print(f"| {landmarks:,} | {right['right']} of {right['of']} | {statistics.median(within):.3f} ({max(within):.3f}) | "
          f"{statistics.median(between):.3f} ({min(between):.3f}) | {statistics.median(found['shape_seconds']):.1f} | "
          f"{1000 * found['seconds']['alignment'] / len(pairs):.1f} |", flush=True)


def main():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("shapes", type=pathlib.Path, nargs="+")
    parser.add_argument("--landmarks", type=numbers, default=[100, 300, 1000])
    parser.add_argument("--candidates", type=numbers, default=[3, 5], help="with the second number of landmarks")
    options, more = parser.parse_known_args()
    screened = []
    print("| landmarks | nearest shape in the same category | within categories, median (largest) | between categories, median "
          "(smallest) | seconds per shape, median | milliseconds per pair |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for number, landmarks in enumerate(options.landmarks):
            folder = pathlib.Path(name) / str(landmarks)
            every = match(options.program, options.shapes, folder, "--landmarks", landmarks, *more)
            print_row(landmarks, every)
            if number != min(1, len(options.landmarks) - 1):
                continue
            for how in ([], ["--ignore-size"]):  # by the forms that are there
                every = match(options.program, options.shapes, folder, "--landmarks", landmarks, *how, *more)
                for candidates in options.candidates:
                    some = match(options.program, options.shapes, folder, "--landmarks", landmarks, "--candidates", candidates,
                                 *how, *more)
                    same = sum(a == b for a, b in zip(every["nearest"], some["nearest"]))
                    screened.append((" ".join(how), candidates, every, some, same))
    count = len(options.shapes)
    print("\n| candidates | | pairs aligned | nearest shape as with all pairs | nearest in the same category, all pairs |"
          "\n|---|---|---|---|---|")
    for how, candidates, every, some, same in screened:
        right = every["category_accuracy"]
        print(f"| {candidates} | {f'`{how}`' if how else ''} | {some['aligned_pairs']:,} of {count * (count - 1) // 2:,} | "
              f"{same} of {count} | {right['right']} of {right['of']} |")


if __name__ == "__main__":
    main()
