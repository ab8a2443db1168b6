"""The recipes run with the real packages, and objects of these packages are shapes."""

import os
import pathlib
import re
import subprocess
import sys

import geodome
import numpy as np
import pytest

RECIPES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "recipes"
SMALL = {
    "brainsmash_surrogates": ["--vertices", "700"], "moran_nulls": ["--vertices", "600"],
    "neuromaps_burt2020": ["--vertices", "700"], "gromov_wasserstein": ["--vertices", "500"],
    "functional_map": ["--vertices", "800"], "sklearn_pipeline": ["--samples", "400"],
}


def test_no_recipe_is_forgotten():
    assert {file.stem for file in RECIPES.glob("*.py")} == {*SMALL, "cortex"}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What a recipe prints."""
    folder, known = tmp_path_factory.mktemp("recipes"), {}

    def run(name):
        if name not in known:
            done = subprocess.run([sys.executable, RECIPES / f"{name}.py", *SMALL[name]], cwd=folder, text=True,
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert done.returncode == 0, done.stderr
            known[name] = done.stdout
            assert (folder / f"{name}.png").exists() or (folder / f"{name}.npy").exists()
        return known[name]

    return run


def numbers(text):
    return [float(one) for one in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)]


def test_surrogates_have_the_autocorrelation_of_the_map(printed):
    first, second = printed("brainsmash_surrogates").splitlines()
    of_map, of_surrogates = numbers(first)
    assert of_map > 0.9 and of_surrogates > 0.6 and abs(numbers(second)[0]) < 0.4


def test_nulls_of_moran_keep_its_index(printed):
    of_map, of_nulls = numbers(printed("moran_nulls"))
    assert of_map > 0.1 and abs(of_nulls - of_map) < 0.02


def test_nulls_of_neuromaps_are_missing_on_the_medial_wall_only(printed):
    assert "missing only on the medial wall: True" in printed("neuromaps_burt2020")


def test_gromov_wasserstein_by_factors_costs_what_it_costs_with_all_distances(printed):
    by_factors, densely, independent = numbers(printed("gromov_wasserstein"))
    assert abs(by_factors - densely) < 2e-6 and by_factors < 0.9 * independent


def test_functional_maps_find_the_pose(printed):
    mean, median = numbers(printed("functional_map"))
    assert median < 0.1 and mean < 0.2


def test_pipelines_are_searched(printed):
    assert numbers(printed("sklearn_pipeline"))[0] > 0.9


def test_surfaces_of_brainspace_pyvista_and_meshio():
    import meshio
    import pyvista
    from brainspace.mesh.mesh_creation import build_polydata

    V, F = geodome.make_shape("torus", vertices=300)
    for surface in (build_polydata(V, cells=F), pyvista.PolyData.from_regular_faces(V, F), meshio.Mesh(V, [("triangle", F)]),
                    build_polydata(V, cells=F).VTKObject):
        shape = geodome.as_shape(surface)
        np.testing.assert_allclose(shape.points, V, atol=1e-6)
        np.testing.assert_array_equal(shape.faces, F)
    with pytest.raises(ValueError, match="tetra.*extract_surface"):
        geodome.build(meshio.Mesh(V[:4], [("tetra", [[0, 1, 2, 3]])]))


def test_graphs_of_networkx():
    import networkx

    graph = networkx.karate_club_graph()
    expected = dict(networkx.all_pairs_dijkstra_path_length(graph))
    found = geodome.distances(graph=graph, sources=range(len(graph)))
    np.testing.assert_allclose(found, [[expected[a][b] for b in graph.nodes] for a in graph.nodes])
    np.testing.assert_allclose(geodome.build(graph).row(0), found[0], rtol=0.1, atol=0.5)


def test_the_output_of_a_notebook_holds_a_picture_and_no_bar():
    import nbclient
    import nbformat

    code = ["import geodome\nfrom geodome import _progress\n_progress._PATIENCE = 0.0\n"
            "m = geodome.build(geodome.make_shape('creature', vertices=2000), landmarks=300)", "m"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in code])
    nbclient.NotebookClient(notebook, timeout=300).execute()
    bar, shown = (cell.outputs for cell in notebook.cells)
    assert [dict(one.data) for one in bar if one.data.get("text/html") != ""] == []
    assert all("application/vnd.jupyter.widget-view+json" not in one.data for one in bar)
    assert "base64" in shown[0].data["text/html"] and "mean error" in shown[0].data["text/html"]
