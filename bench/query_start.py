#!/usr/bin/env python3
"""Measures one `geodome query` from start to end: wall-clock and processor time, peak memory and system calls that open or
map a file.

    bench/query_start.py FILE.geodome PROGRAM [PROGRAM ...] [--pair I J] [--repeats 20]

Programs run in turn on the same file, which is in the page cache after the first run. Prints a Markdown table: the median
times (`geodome --version` for comparison), the largest peak of resident memory, and (where strace is installed) how often
FILE is opened.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time


def run_once(command: list) -> tuple:
    """Seconds on the wall clock and of processors, and peak resident memory in bytes."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"query_start: {' '.join(command)} failed")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def times_opened(command: list, path: str) -> str:
    if shutil.which("strace") is None:
        return "–"
    traced = subprocess.run(["strace", "-f", "-e", "trace=open,openat", *command], capture_output=True, text=True)
    return str(sum(os.path.basename(path) in line for line in traced.stderr.splitlines()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--pair", nargs=2, default=["0", "1"], metavar=("I", "J"))
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()

    query = ["query", options.file, *options.pair, "--json", "--threads", "1"]
    modes = {"nothing": ["--version"], "near-field": query, "raw": [*query, "--raw"]}
    commands = {(program, mode): [program, *modes[mode]] for program in options.programs for mode in modes}
    cases = list(commands)
    results = {case: [] for case in cases}
    for case in cases:
        run_once(commands[case])
    for _ in range(options.repeats):
        for case in cases:
            results[case].append(run_once(commands[case]))
    print("| program | mode | median ms | CPU ms | peak MB | opens |\n|---|---|---|---|---|---|")
    for case in cases:
        seconds = statistics.median(one[0] for one in results[case])
        processor = statistics.median(one[1] for one in results[case])
        peak = max(one[2] for one in results[case])
        name = case[0] if len(options.programs) > 1 else os.path.basename(case[0])
        print(f"| {name} | {case[1]} | {1000 * seconds:.1f} | {1000 * processor:.1f} | {peak / 1e6:.1f} "
              f"| {times_opened(commands[case], options.file)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
