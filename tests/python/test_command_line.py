"""The same numbers from Python and from the command line."""

import geodome
import numpy as np
import pytest


@pytest.fixture(scope="module")
def creature(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("creature")
    program("shape", "creature", "--vertices", 700, "--pose", 3, "-o", folder / "creature.ply")
    program("build", folder / "creature.ply", "-o", folder / "creature.geodome", "--landmarks", 90, "--seed", 4)
    return folder


@pytest.fixture(scope="module")
def built(creature):
    return geodome.build(creature / "creature.ply", landmarks=90, seed=4)


def test_the_same_shape(creature):
    np.testing.assert_array_equal(geodome.make_shape("creature", vertices=700, pose=3).points,
                                  geodome.read_shape(creature / "creature.ply").points)


def test_the_same_file(creature, built, tmp_path):
    built.save(tmp_path / "mine.geodome")
    assert (tmp_path / "mine.geodome").read_bytes() == (creature / "creature.geodome").read_bytes()


def test_the_same_answers(program, creature, built):
    pairs = [0, 5, 17, 600, 3, 3]
    answer = program("query", creature / "creature.geodome", *pairs)["distances"]
    np.testing.assert_array_equal(built[pairs[::2], pairs[1::2]], answer)
    near = program("query", creature / "creature.geodome", 9, "--nearest", 6)
    distances, vertices = built.nearest(9, 6)
    assert vertices.tolist() == near["neighbours"][0] and distances.tolist() == near["distances"][0]
    program("rows", creature / "creature.geodome", 1, 44, "-o", creature / "rows.npy")
    np.testing.assert_allclose(built.rows([1, 44]), np.load(creature / "rows.npy"), rtol=1e-12, atol=1e-12)


def test_the_same_distances(program, creature):
    program("distances", creature / "creature.ply", "--source", 8, "-o", creature / "d.npy")
    np.testing.assert_array_equal(geodome.distances(creature / "creature.ply", sources=[8]),
                                  np.load(creature / "d.npy"))


def test_the_same_form_and_stress(program, creature, built):
    facts = program("embed", creature / "creature.geodome", "-o", creature / "z.npy")
    found = built.embedding(3, stress_rows=200)
    np.testing.assert_array_equal(found.Z, np.load(creature / "z.npy"))
    np.testing.assert_allclose(found.eigenvalues, facts["eigenvalues"], rtol=1e-12)
    assert found.model_stress["value"] == pytest.approx(facts["model_stress"]["value"] if isinstance(
        facts["model_stress"], dict) else facts["model_stress"], rel=1e-9)


def test_the_same_error(program, creature, built):
    facts = program("evaluate", creature / "creature.geodome", creature / "creature.ply", "--rows", 30)
    assert built.evaluate(rows=30)["relative_error"] == facts["relative_error"]


def test_the_same_match(program, tmp_path):
    files = []
    for name, pose in (("creature", 0), ("creature", 2), ("torus", 0)):
        files.append(tmp_path / f"{name}{pose}.ply")
        geodome.make_shape(name, vertices=400, pose=pose).write(files[-1])
    facts = program("match", *files, "-o", tmp_path / "out")
    found = geodome.match(files)
    np.testing.assert_array_equal(found.distances, facts["distances"])
    assert found.nearest.tolist() == facts["nearest"]
    np.testing.assert_allclose(found.embedding, facts["embedding"], atol=1e-12)


def test_the_same_exports(program, creature, built, tmp_path):
    for to, name, write in (("npy", "K.npy", built.to_npy), ("mat", "K.mat", built.to_mat)):
        program("export", creature / "creature.geodome", "--to", to, "-o", creature / name)
        write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == (creature / name).read_bytes()
    for to, write in (("brainsmash", lambda folder: built.to_brainsmash(folder, neighbours=50)), ("mtx", built.to_mtx)):
        extra = ["--neighbours", 50] if to == "brainsmash" else []
        theirs = program("export", creature / "creature.geodome", "--to", to, "-o", creature / to, *extra)["files"]
        ours = write(tmp_path / to)
        assert sorted(ours) == sorted(file.split("/")[-1] for file in theirs)
        for name, file in ours.items():
            assert open(file, "rb").read() == (creature / to / name).read_bytes()


@pytest.mark.parametrize("method", ["ctg", "spectrometer"])
def test_the_same_baseline(program, creature, tmp_path, method):
    file = tmp_path / "theirs.geodome"
    program("build", creature / "creature.ply", "-o", file, "--method", method, "--landmarks", 90, "--seed", 4)
    built = geodome.build(creature / "creature.ply", method=method, landmarks=90, seed=4)
    built.save(tmp_path / "mine.geodome")
    assert (tmp_path / "mine.geodome").read_bytes() == file.read_bytes()
    pairs = [0, 5, 17, 600, 3, 3]
    answer = program("query", file, *pairs)["distances"]
    near = program("query", file, 9, "--nearest", 6)
    error = program("evaluate", file, creature / "creature.ply", "--rows", 30)["relative_error"]
    program("embed", file, "-o", tmp_path / "z.npy")
    for m in (built, geodome.load(file)):
        np.testing.assert_array_equal(m[pairs[::2], pairs[1::2]], answer)
        distances, vertices = m.nearest(9, 6)
        assert vertices.tolist() == near["neighbours"][0] and distances.tolist() == near["distances"][0]
        assert m.evaluate(rows=30)["relative_error"] == error
        np.testing.assert_array_equal(m.embed(3), np.load(tmp_path / "z.npy"))
