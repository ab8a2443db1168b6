"""The estimators are good citizens of scikit-learn, and find what is there."""

import geodome
import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.utils.estimator_checks import parametrize_with_checks


@pytest.mark.filterwarnings("ignore:the graph of")
@parametrize_with_checks([geodome.Isomap(n_neighbors=5), geodome.ClassicalMDS(n_neighbors=5)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def roll(count):
    generator = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * generator.uniform(size=count)), 21 * generator.uniform(size=count)
    return np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), angle, height


def test_isomap_unrolls_the_swiss_roll():
    X, angle, height = roll(1500)
    Z = geodome.Isomap(n_neighbors=10, landmarks=300).fit_transform(X)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    flat = np.column_stack([length, height])
    sample = np.random.default_rng(1).choice(1500, 200, replace=False)
    ratio = np.linalg.norm(cdist(Z[sample], Z[sample]) - cdist(flat[sample], flat[sample]))
    assert ratio < 0.08 * np.linalg.norm(cdist(flat[sample], flat[sample]))


def test_isomap_joins_what_is_apart():
    generator = np.random.default_rng(3)
    X = np.vstack([generator.normal(size=(60, 3)), generator.normal(size=(50, 3)) + 100])
    with pytest.warns(UserWarning, match="several connected components"):
        Z = geodome.Isomap(n_neighbors=4).fit_transform(X)
    centres = Z[:60].mean(axis=0), Z[60:].mean(axis=0)
    assert np.linalg.norm(centres[0] - centres[1]) > 100


def test_isomap_agrees_with_scikit_learn():
    from sklearn.manifold import Isomap
    X, _, _ = roll(300)
    theirs = Isomap(n_neighbors=10, n_components=2).fit(X)
    ours = geodome.Isomap(n_neighbors=10, landmarks=300).fit(X)
    np.testing.assert_allclose(ours.matrix_.rows(np.arange(300)), theirs.dist_matrix_, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(theirs.embedding_), atol=0.02 * theirs.embedding_.max())


def misfit(Z, D):
    found = cdist(Z, Z)
    return np.linalg.norm(found - D) / np.linalg.norm(D)


def test_new_samples_lie_where_they_belong():
    X, angle, height = roll(2000)
    flat = np.column_stack([(angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2, height])
    isomap = geodome.Isomap(n_neighbors=8, landmarks=300).fit(X[:1500])
    np.testing.assert_allclose(isomap.transform(X[:1500]), isomap.embedding_, rtol=1e-12)
    everything = np.vstack([isomap.embedding_, isomap.transform(X[1500:])])
    D = cdist(flat, flat)
    assert misfit(everything, D) < 1.1 * misfit(isomap.embedding_, D[:1500, :1500])
    assert list(isomap.get_feature_names_out()) == ["isomap0", "isomap1"]


def test_new_samples_lie_where_scikit_learn_puts_them():
    from sklearn.manifold import Isomap
    X, _, _ = roll(1200)
    theirs = Isomap(n_neighbors=8).fit(X[:1000])
    ours = geodome.Isomap(n_neighbors=8, landmarks=1000).fit(X[:1000])
    signs = np.sign((ours.embedding_ * theirs.embedding_).sum(axis=0))
    apart = np.linalg.norm(ours.transform(X[1000:]) * signs - theirs.transform(X[1000:]), axis=1)
    assert apart.mean() < 0.02 * np.ptp(ours.embedding_)


def test_classical_scaling_places_new_points():
    X = np.random.default_rng(8).uniform(size=(300, 3))
    D = cdist(X, X)
    for scaling, old, new in (
            (geodome.ClassicalMDS(3, landmarks=200), X[:200], X[200:]),
            (geodome.ClassicalMDS(3, landmarks=200, metric=lambda one, all: cdist([one], all)[0]), X[:200], X[200:]),
            (geodome.ClassicalMDS(3, landmarks=200, metric="precomputed"), D[:200, :200], D[200:, :200])):
        scaling.fit(old)
        np.testing.assert_allclose(scaling.transform(old), scaling.embedding_, atol=1e-4)
        assert misfit(np.vstack([scaling.embedding_, scaling.transform(new)]), D) < 1e-4


def test_classical_scaling_gives_points_back():
    """Exactly where every sample is a landmark, and the better the more there are."""
    X = np.random.default_rng(5).uniform(size=(300, 3))
    D = cdist(X, X)
    some, more, every = (geodome.ClassicalMDS(n_components=3, landmarks=count).fit(X) for count in (40, 150, 300))
    assert misfit(every.embedding_, D) < 1e-5 < misfit(more.embedding_, D) < misfit(some.embedding_, D) < 0.3
    assert every.eigenvalues_.shape == (3,) and (np.diff(every.eigenvalues_) < 0).all()
    given = geodome.ClassicalMDS(n_components=3, landmarks=300, metric="precomputed").fit_transform(D)
    assert misfit(given, D) < 1e-5
    called = geodome.ClassicalMDS(n_components=3, landmarks=150, metric=lambda one, all: cdist([one], all)[0])
    np.testing.assert_allclose(called.fit_transform(X), more.embedding_, atol=1e-5)
    with pytest.raises(ValueError, match="cosine"):
        geodome.ClassicalMDS(metric="cosine").fit(X)


def test_the_metric_is_asked_for_few_rows():
    X = np.random.default_rng(6).uniform(size=(800, 2))
    asked = []

    def metric(one, all):
        asked.append(one)
        return cdist([one], all)[0]

    geodome.ClassicalMDS(landmarks=100, metric=metric).fit(X)
    assert len(asked) < 300
