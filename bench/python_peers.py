#!/usr/bin/env python3
"""Compares geodome with other Python packages in one run: all distances of a surface (potpourri3d's heat solver and
pygeodesic in a loop, gdist's local_gdist_matrix), its canonical form (scikit-learn's ClassicalMDS), and Isomap of a swiss
roll and classical scaling of its samples (scikit-learn, tapkee). Each runs in a separate process on one thread. Prints
Markdown tables.

    bench/python_peers.py [--sizes 1000 5000 40000] [--samples 2000 10000 100000] [--budget 60] [--json FILE]

A loop that would take longer than the budget (seconds) is stopped; its time and memory are extrapolated to all rows and
marked ≈. gdist is built for NumPy 1 and may need a separate interpreter: --gdist-python.
"""

import argparse
import importlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (the thread counts must be set first)


class Loop:
    """Computes rows until all are done or the budget is used up."""

    def __init__(self, folder, budget):
        self.V, self.F = np.load(folder / "V.npy"), np.load(folder / "F.npy")
        self.sources, self.budget = np.load(folder / "sources.npy"), budget

    def fill(self, row):
        size = len(self.V)
        K = np.zeros((size, size))
        begin = time.process_time()
        order = np.concatenate([self.sources, np.setdiff1d(np.arange(size), self.sources)])
        for done, vertex in enumerate(order, 1):
            K[vertex] = row(int(vertex))
            if time.process_time() - begin > self.budget:
                break
        return {"share": done / size, "bytes": K.nbytes, "rows": K[self.sources[:done]], "K": K if done == size else None,
                "missing": (1 - done / size) * K.nbytes}  # memory that is only taken when it is written to


def surface_potpourri3d(folder, budget):
    import potpourri3d
    loop = Loop(folder, budget)
    solver = potpourri3d.MeshHeatMethodDistanceSolver(loop.V, loop.F)
    return loop.fill(solver.compute_distance)


def surface_pygeodesic(folder, budget):
    from pygeodesic import geodesic
    loop = Loop(folder, budget)
    solver = geodesic.PyGeodesicAlgorithmExact(loop.V, loop.F)
    return loop.fill(lambda vertex: solver.geodesicDistances(np.array([vertex]))[0])


def surface_gdist(folder, budget):
    import gdist
    loop = Loop(folder, budget)
    K = gdist.local_gdist_matrix(loop.V, loop.F.astype(np.int32))
    stored = K.data.nbytes + K.indices.nbytes + K.indptr.nbytes
    return {"share": 1, "bytes": stored, "rows": K.tocsr()[loop.sources].toarray(), "K": None}


def surface_geodome(folder, budget):
    import geodome
    loop = Loop(folder, budget)
    m = geodome.build(loop.V, loop.F, threads=1)
    return {"share": 1, "bytes": m.nbytes, "rows": lambda: m.rows(loop.sources), "K": None}


def form_geodome(folder, budget):
    import geodome
    loop = Loop(folder, budget)
    m = geodome.build(loop.V, loop.F, threads=1)
    return {"share": 1, "bytes": m.nbytes, "Z": m.embed(3, threads=1)}


def form_scikit_learn(folder, budget):
    from sklearn.manifold import ClassicalMDS
    filled = surface_potpourri3d(folder, np.inf)
    K = (filled["K"] + filled["K"].T) / 2
    np.fill_diagonal(K, 0)
    return {"share": 1, "bytes": K.nbytes, "Z": ClassicalMDS(n_components=3, metric="precomputed").fit_transform(K)}


def roll_geodome(folder, budget):
    import geodome
    isomap = geodome.Isomap(n_components=2, n_neighbors=10, n_jobs=1).fit(np.load(folder / "X.npy"))
    return {"share": 1, "bytes": isomap.matrix_.nbytes, "Z": isomap.embedding_}


def roll_scikit_learn(folder, budget):
    from sklearn.manifold import Isomap
    isomap = Isomap(n_components=2, n_neighbors=10, n_jobs=1).fit(np.load(folder / "X.npy"))
    return {"share": 1, "bytes": isomap.dist_matrix_.nbytes, "Z": isomap.embedding_}


def by_tapkee(folder, method, **options):
    """With the same number of landmarks as geodome."""
    import tapkee
    X = np.load(folder / "X.npy")
    landmarks = min(1000, max(50, len(X) // 5))
    Z = tapkee.embed(np.asfortranarray(X.T), method=method, target_dimension=2, landmark_ratio=landmarks / len(X), **options)
    return {"share": 1, "bytes": 8 * landmarks * len(X), "Z": np.asarray(Z)}


def roll_tapkee(folder, budget):
    return by_tapkee(folder, "l-isomap", num_neighbors=10)


def scaling_geodome(folder, budget):
    import geodome
    scaling = geodome.ClassicalMDS(n_components=2, n_jobs=1).fit(np.load(folder / "X.npy"))
    return {"share": 1, "bytes": scaling.matrix_.nbytes, "Z": scaling.embedding_}


def scaling_scikit_learn(folder, budget):
    from sklearn.manifold import ClassicalMDS
    scaling = ClassicalMDS(n_components=2).fit(np.load(folder / "X.npy"))
    return {"share": 1, "bytes": scaling.dissimilarity_matrix_.nbytes, "Z": scaling.embedding_}


def scaling_tapkee(folder, budget):
    return by_tapkee(folder, "l-mds")


def run_one(task, folder, budget):
    """Runs in a separate process: prints seconds and peak memory, and writes the result to a file."""
    for module in MODULES[task].split():
        importlib.import_module(module)  # not part of the time
    begin = time.process_time()
    result = globals()[task](folder, budget)
    seconds = time.process_time() - begin
    peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + result.get("missing", 0)
    rows = result["rows"]() if callable(result.get("rows")) else result.get("rows")
    np.save(folder / "result.npy", rows if rows is not None else result["Z"])
    print(json.dumps({"seconds": seconds / result["share"], "share": result["share"], "bytes": int(result["bytes"]),
                      "peak": peak}))


MODULES = {"surface_geodome": "geodome", "surface_potpourri3d": "potpourri3d", "surface_pygeodesic": "pygeodesic.geodesic",
           "surface_gdist": "gdist scipy.sparse", "form_geodome": "geodome",
           "form_scikit_learn": "potpourri3d sklearn.manifold", "roll_geodome": "geodome._estimators scipy.spatial",
           "roll_scikit_learn": "sklearn.manifold", "roll_tapkee": "tapkee",
           "scaling_geodome": "geodome._estimators scipy.spatial", "scaling_scikit_learn": "sklearn.manifold",
           "scaling_tapkee": "tapkee"}


def measure(task, folder, arguments):
    python = arguments.gdist_python if task == "surface_gdist" else sys.executable
    if python is None:
        return None
    command = [python, __file__, "--one", task, "--folder", str(folder), "--budget", str(arguments.budget)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"{task}: skipped: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return {**json.loads(done.stdout.splitlines()[-1]), "result": np.load(folder / "result.npy")}


def row_errors(rows, exact):
    known = exact > 0
    return {"mean_error": float(np.mean(np.abs(rows[known] - exact[known]) / exact[known])),
            "epsilon": float(((rows[known] - exact[known]) ** 2).sum() / (exact[known] ** 2).sum())}


def pair_misfit(Z, true, pairs):
    """Error of the distances in an embedding, relative to the true ones, over random pairs."""
    found = np.linalg.norm(Z[pairs[0]] - Z[pairs[1]], axis=1)
    return {"misfit": float(np.linalg.norm(found - true) / np.linalg.norm(true))}


def surfaces(folder, size, arguments):
    import geodome
    V, F = geodome.make_shape("creature", vertices=size)
    generator = np.random.default_rng(0)
    sources = np.sort(generator.choice(len(V), 20, replace=False))
    for name, array in (("V", V), ("F", F.astype(np.int64)), ("sources", sources)):
        np.save(folder / f"{name}.npy", array)
    exact = geodome.distances(V, F, sources, geodesic="exact")
    tasks = [("geodome.build", "surface_geodome"), ("potpourri3d, heat, row by row", "surface_potpourri3d")]
    if size <= 50000:
        tasks.append(("pygeodesic, exact, row by row", "surface_pygeodesic"))
    if size <= 1000:
        tasks.append(("gdist.local_gdist_matrix, exact", "surface_gdist"))
    found = {}
    for name, task in tasks:
        one = measure(task, folder, arguments)
        if one:
            rows = one.pop("result")
            found[name] = {**row_errors(rows, exact[: len(rows)]), **one}
    forms = {}
    if size <= 5000:
        pairs = generator.integers(20, size=2000), generator.integers(len(V), size=2000)
        true = exact[pairs]
        tasks = {"geodome: build and embed": "form_geodome",
                 "potpourri3d, then scikit-learn's ClassicalMDS": "form_scikit_learn"}
        forms = layouts(tasks, true, (sources[pairs[0]], pairs[1]), folder, arguments)
    return {"vertices": len(V), "distances": found, "forms": forms}


def layouts(tasks, true, pairs, folder, arguments):
    found = {}
    for name, task in tasks.items():
        one = measure(task, folder, arguments)
        if one:
            found[name] = {**pair_misfit(one.pop("result"), true, pairs), **one}
    return found


def rolls(folder, size, arguments):
    generator = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * generator.uniform(size=size)), 21 * generator.uniform(size=size)
    flat = np.column_stack([(angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2, height])
    X = np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)])
    np.save(folder / "X.npy", X)
    pairs = generator.integers(size, size=(2, 5000))
    along, straight = (np.linalg.norm(points[pairs[0]] - points[pairs[1]], axis=1) for points in (flat, X))
    isomaps = {"geodome.Isomap": "roll_geodome", "tapkee, landmark Isomap": "roll_tapkee"}
    scalings = {"geodome.ClassicalMDS": "scaling_geodome", "tapkee, landmark MDS": "scaling_tapkee"}
    if size <= 10000:
        isomaps["scikit-learn's Isomap"] = "roll_scikit_learn"
        scalings["scikit-learn's ClassicalMDS"] = "scaling_scikit_learn"
    return {"samples": size, "isomap": layouts(isomaps, along, pairs, folder, arguments),
            "scaling": layouts(scalings, straight, pairs, folder, arguments)}


def print_table(title, rows, last):
    print(f"\n| {title} | CPU s | bytes stored | peak memory | {' | '.join(last)} |")
    print("|---|---|---|---|" + "---|" * len(last))
    for name, row in rows.items():
        about = "≈ " if row["share"] < 1 else ""  # for time and memory; the bytes stored are known
        errors = " | ".join(f"{100 * row[key]:.2g} %" if key != "epsilon" else f"{row[key]:.1e}" for key in last.values())
        print(f"| {name} | {about}{row['seconds']:,.1f} | {row['bytes'] / 1e6:,.1f} MB "
              f"| {about}{row['peak'] / 1e6:,.0f} MB "
              f"| {errors} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 5000, 40000])
    parser.add_argument("--samples", type=int, nargs="*", default=[2000, 10000, 100000])
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--gdist-python")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        return run_one(arguments.one, arguments.folder, arguments.budget)
    reports = []
    with tempfile.TemporaryDirectory() as name:
        for size in arguments.sizes:
            report = surfaces(pathlib.Path(name), size, arguments)
            print_table(f"all distances, {report['vertices']:,} vertices", report["distances"],
                        {"mean error": "mean_error", "ε": "epsilon"})
            if report["forms"]:
                print_table(f"canonical form, {report['vertices']:,} vertices", report["forms"],
                            {"misfit": "misfit"})
            reports.append(report)
            sys.stdout.flush()
        for size in arguments.samples:
            reports.append(rolls(pathlib.Path(name), size, arguments))
            print_table(f"Isomap of a swiss roll of {size:,} samples", reports[-1]["isomap"], {"misfit": "misfit"})
            print_table(f"classical scaling of its {size:,} samples", reports[-1]["scaling"], {"misfit": "misfit"})
            sys.stdout.flush()
    if arguments.json:
        arguments.json.write_text(json.dumps(reports, indent=2) + "\n")


if __name__ == "__main__":
    main()
