"""Matrices of many shapes on a Dask cluster: processes of this machine, or a scheduler that runs already. Finished files
are kept: after an interruption the same command continues.

    python examples/many/dask_cluster.py [FILE ...] [--folder matrices] [--workers 2] [--scheduler ADDRESS]

    (pip install 'geodome[many]' 'dask[distributed]')

FILE: shapes, named after their files. Default: poses of the built-in creature. Dask workers on other machines must see the
shapes and the folder under the same paths.
"""

import argparse
import contextlib
import os
from collections.abc import Sequence
from typing import Any

import geodome
import joblib
from dask.distributed import Client, LocalCluster


def main(files: Sequence[str] = (), folder: str = "matrices", workers: int = 2, scheduler: str = "", vertices: int = 2000,
         landmarks: int = 200) -> None:
    shapes: Any = files or {f"pose{k}": geodome.make_shape("creature", vertices=vertices, pose=k) for k in range(6)}
    os.makedirs(folder, exist_ok=True)
    local: Any = LocalCluster  # dask has no types
    cluster = contextlib.nullcontext(scheduler) if scheduler else local(n_workers=workers, threads_per_worker=1)
    connect: Any = Client
    with cluster as address, connect(address), joblib.parallel_config("dask"):
        built = geodome.build_many(shapes, folder, landmarks=landmarks)
    for one in built:
        if one.error is not None:
            print(f"{one.name}: {one.error}")
        else:
            print(f"{one.name}: {one.file_bytes:,} bytes, mean error {100 * (one.mean_error or 0):.2g} %, "
                  + ("kept" if one.skipped else f"{one.seconds:.1f} s"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--folder", default="matrices")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler", default="")
    parser.add_argument("--vertices", type=int, default=2000)
    parser.add_argument("--landmarks", type=int, default=200)
    main(**vars(parser.parse_args()))
