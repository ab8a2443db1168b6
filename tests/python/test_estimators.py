"""The estimators are good citizens of scikit-learn, and find what is there."""

import warnings

import geodome
import numpy as np
import pytest
import scipy.sparse
from scipy.linalg import orthogonal_procrustes
from scipy.spatial.distance import cdist
from sklearn import datasets, manifold
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks


@pytest.mark.filterwarnings("ignore:the neighbourhood graph has", "ignore:Data was converted to boolean")
@parametrize_with_checks([
    geodome.Isomap(), geodome.Isomap(n_neighbors=None, radius=20.0), geodome.Isomap(metric="cosine"),
    geodome.Isomap(metric="precomputed"), geodome.ClassicalMDS(), geodome.ClassicalMDS(metric="cityblock"),
    geodome.ClassicalMDS(metric="precomputed")])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def roll(count):
    generator = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * generator.uniform(size=count)), 21 * generator.uniform(size=count)
    return np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), angle, height


def misfit(Z, D):
    found = cdist(Z, Z)
    return np.linalg.norm(found - D) / np.linalg.norm(D)


def difference(found, expected):
    """After the best motion, relative to the expected points."""
    found, expected = found - found.mean(axis=0), expected - expected.mean(axis=0)
    return np.linalg.norm(found @ orthogonal_procrustes(found, expected)[0] - expected) / np.linalg.norm(expected)


SAMPLES = {
    "digits": lambda: datasets.load_digits().data[:900], "iris": lambda: datasets.load_iris().data,
    "wine": lambda: datasets.load_wine().data, "roll": lambda: datasets.make_swiss_roll(700, random_state=0)[0],
    "s-curve": lambda: datasets.make_s_curve(700, random_state=0)[0],
}


@pytest.mark.filterwarnings("ignore:the neighbourhood graph has", "ignore:The number of connected components",
                            "ignore:Changing the sparsity structure")
@pytest.mark.parametrize("name", SAMPLES)
def test_results_are_those_of_scikit_learn(name):
    X = SAMPLES[name]()
    for ours, theirs in ((geodome.ClassicalMDS(), manifold.ClassicalMDS()), (geodome.Isomap(), manifold.Isomap())):
        found, expected = ours.fit_transform(X), theirs.fit_transform(X)
        assert difference(found, expected) < 1e-6 and ours.error_ < 1e-6
        np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())  # the signs, too
        np.testing.assert_allclose(ours.transform(X), found, atol=1e-6 * np.abs(found).max())
    new = X[::9] + 1e-3
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(ours.reconstruction_error(), theirs.reconstruction_error(), rtol=1e-6)


def test_any_metric_of_scikit_learn():
    X = np.random.default_rng(4).uniform(0.1, 1, size=(120, 6))
    for options in ({"metric": "cosine"}, {"metric": "seuclidean"}, {"metric": "mahalanobis"}, {"metric": "canberra"},
                    {"metric": "minkowski", "metric_params": {"p": 3}}, {"metric": lambda a, b: np.abs(a - b).max()}):
        found, expected = geodome.ClassicalMDS(6, **options).fit(X), manifold.ClassicalMDS(6, **options).fit_transform(X)
        assert difference(found.embedding_, expected) < 1e-6
        np.testing.assert_allclose(found.transform(X[:9]), found.embedding_[:9], atol=1e-6)
    X = datasets.make_s_curve(200, random_state=0)[0]
    for options in ({"metric": "manhattan"}, {"p": 1}, {"metric": "chebyshev"}, {"n_neighbors": None, "radius": 0.6}):
        assert difference(geodome.Isomap(**options).fit_transform(X), manifold.Isomap(**options).fit_transform(X)) < 1e-6
    with pytest.raises(ValueError, match="magic"):
        geodome.ClassicalMDS(metric="magic").fit(X)
    with pytest.raises(ValueError, match="n_neighbors=5 and radius=1"):
        geodome.Isomap(radius=1).fit(X)
    with pytest.raises(ValueError, match="square"):
        geodome.ClassicalMDS(metric="precomputed").fit(X)
    with pytest.raises(ValueError, match="symmetric"):
        geodome.ClassicalMDS(metric="precomputed").fit(np.triu(cdist(X, X)))


def test_random_distances():
    D = np.random.default_rng(0).uniform(1, 2, size=(500, 500))
    D = np.triu(D, 1) + np.triu(D, 1).T
    expected = manifold.ClassicalMDS(metric="precomputed").fit_transform(D)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert difference(geodome.ClassicalMDS(metric="precomputed").fit_transform(D), expected) < 0.01
    with pytest.warns(geodome.AccuracyWarning, match="40 of 500 samples"):
        few = geodome.ClassicalMDS(metric="precomputed", landmarks=40).fit(D)
    assert few.error_ > 0.01 and difference(few.embedding_, expected) > 0.01


def test_the_error_is_that_of_the_coordinates():
    X = datasets.load_digits().data[:1000]
    expected = PCA(2).fit_transform(X)
    for count in (100, 300):
        with pytest.warns(geodome.AccuracyWarning, match=f"differ by .* {count} of 1,000 samples"):
            found = geodome.ClassicalMDS(landmarks=count, random_state=0).fit(X)
        assert 1 / 3 < found.error_ / difference(found.embedding_, expected) < 3


def test_many_samples_use_as_many_landmarks_as_needed(monkeypatch):
    from geodome import _estimators
    monkeypatch.setattr(_estimators, "_ALL", 500)
    monkeypatch.setattr(_estimators, "_FIRST", 100)
    X = datasets.load_digits().data[:1200]
    asked = []

    def metric(a, b):
        asked.append(1)
        return np.sqrt(((a - b) ** 2).sum())

    found = geodome.ClassicalMDS(tol=0.03, random_state=0).fit(X)
    assert 100 < len(found.matrix_.landmarks) < 1200 and found.error_ <= 0.03
    assert difference(found.embedding_, PCA(2).fit_transform(X)) < 0.06
    called = geodome.ClassicalMDS(landmarks=50, metric=metric, tol=1).fit(X[:600, :3])
    assert len(asked) < 300 * 600 and len(called.embedding_) == 600
    again = geodome.Isomap(tol=0.05, random_state=0).fit(X)
    assert difference(again.embedding_, manifold.Isomap().fit_transform(X)) < 0.1


def test_sparse_samples_and_single_precision():
    X = scipy.sparse.random_array((200, 30), density=0.2, rng=0, format="csr")
    for make in (geodome.ClassicalMDS, geodome.Isomap):
        dense, thin = make().fit(X.toarray()), make().fit(X)
        np.testing.assert_allclose(dense.embedding_, thin.embedding_, atol=1e-6)
        np.testing.assert_allclose(thin.transform(X[:5]), thin.embedding_[:5], atol=1e-6)
        single = make().fit(X.toarray().astype(np.float32))
        assert single.embedding_.dtype == single.transform(X[:5].toarray().astype(np.float32)).dtype == np.float32


def test_isomap_unrolls_the_swiss_roll():
    X, angle, height = roll(1500)
    Z = geodome.Isomap(n_neighbors=10, landmarks=300).fit_transform(X)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    flat = np.column_stack([length, height])
    assert misfit(Z[::8], cdist(flat[::8], flat[::8])) < 0.08


def test_isomap_joins_what_is_apart(monkeypatch):
    from geodome import _estimators, _neighbours
    generator = np.random.default_rng(3)
    X = np.vstack([generator.normal(size=(60, 3)) + [100 * part, 0, 0] for part in range(3)])
    found = []
    for limit, few in ((4000, 30), (100, 30), (100, 2)):
        monkeypatch.setattr(_estimators, "_ALL", limit)
        monkeypatch.setattr(_neighbours, "_FEW", few)
        with pytest.warns(UserWarning, match="3 connected components"):
            found.append(geodome.Isomap(n_neighbors=4, landmarks=180).fit_transform(X))
        assert np.linalg.norm(found[-1][:60].mean(axis=0) - found[-1][60:120].mean(axis=0)) > 90
    assert difference(found[1], found[0]) < 1e-6  # every two components by one edge, as in scikit-learn


def test_progress_is_shown_where_it_is_wanted(monkeypatch, capsys):
    monkeypatch.setattr("geodome._progress._PATIENCE", 0)
    roll = geodome.make_shape("swiss-roll", vertices=600).points
    geodome.Isomap(n_neighbors=8).fit(roll)
    assert capsys.readouterr().err == ""
    for estimator in geodome.Isomap(n_neighbors=8, verbose=True), geodome.ClassicalMDS(verbose=True):
        estimator.fit(roll)
        assert "%" in capsys.readouterr().err


def test_new_samples_lie_where_they_belong():
    X, angle, height = roll(2000)
    flat = np.column_stack([(angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2, height])
    isomap = geodome.Isomap(n_neighbors=8, landmarks=300).fit(X[:1500])
    assert difference(isomap.transform(X[:1500]), isomap.embedding_) < 0.01
    everything = np.vstack([isomap.embedding_, isomap.transform(X[1500:])])
    D = cdist(flat, flat)
    assert misfit(everything, D) < 1.1 * misfit(isomap.embedding_, D[:1500, :1500])
    assert list(isomap.get_feature_names_out()) == ["isomap0", "isomap1"]
    with pytest.raises(ValueError, match="sample 1 has no fitted sample within radius=2"):
        geodome.Isomap(n_neighbors=None, radius=2.0).fit(X).transform([X[0], X[0] + 50])


def test_classical_scaling_places_new_points():
    X = np.random.default_rng(8).uniform(size=(300, 3))
    D = cdist(X, X)
    for scaling, old, new in (
            (geodome.ClassicalMDS(3), X[:200], X[200:]),
            (geodome.ClassicalMDS(3, metric=lambda a, b: np.sqrt(((a - b) ** 2).sum())), X[:200], X[200:]),
            (geodome.ClassicalMDS(3, metric="precomputed"), D[:200, :200], D[200:, :200])):
        scaling.fit(old)
        np.testing.assert_allclose(scaling.transform(old), scaling.embedding_, atol=1e-4)
        assert misfit(np.vstack([scaling.embedding_, scaling.transform(new)]), D) < 1e-4


def test_a_memory_map_is_read_where_it_is(tmp_path):
    X = np.random.default_rng(5).uniform(size=(300, 3))
    np.save(tmp_path / "D.npy", cdist(X, X))
    given = geodome.ClassicalMDS(3, metric="precomputed").fit(np.load(tmp_path / "D.npy", mmap_mode="r"))
    assert misfit(given.embedding_, cdist(X, X)) < 1e-5


def test_in_a_pipeline():
    X = datasets.load_wine().data
    pipeline = make_pipeline(StandardScaler(), geodome.Isomap(n_neighbors=12), StandardScaler())
    expected = make_pipeline(StandardScaler(), manifold.Isomap(n_neighbors=12), StandardScaler())
    np.testing.assert_allclose(pipeline.fit_transform(X), expected.fit_transform(X), atol=1e-6)
    np.testing.assert_allclose(pipeline.transform(X[:5]), expected.transform(X[:5]), atol=1e-6)
