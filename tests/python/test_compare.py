"""Shapes and sets of points against each other."""

import geodome
import numpy as np
import pytest


@pytest.mark.parametrize("seed", range(4))
def test_any_motion_is_found(animal, seed):
    """Also where the points do not lie along their axes."""
    generator = np.random.default_rng(seed)
    turn = np.linalg.qr(generator.normal(size=(3, 3)))[0]
    turned = animal.points @ turn + generator.normal(size=3)
    found = geodome.align(animal.points, turned)
    np.testing.assert_allclose(found.apply(animal.points), turned, atol=1e-5)
    assert found.distance < 1e-5
    np.testing.assert_array_equal(geodome.correspondence(animal.points, turned, found), np.arange(600))


def test_reflections_can_be_ruled_out(animal):
    mirrored = animal.points * [1, 1, -1]
    skewed = mirrored + 0.3 * mirrored[:, [1, 2, 0]] ** 2  # no symmetry of its own
    original = skewed * [1, 1, -1]
    assert np.linalg.det(geodome.align(original, skewed).turn) < 0
    assert np.linalg.det(geodome.align(original, skewed, reflections=False).turn) > 0


def test_forms_of_unequal_dimension_are_refused(animal):
    with pytest.raises(ValueError, match="dimensions"):
        geodome.align(animal.points, animal.points[:, :2])


def test_a_shape_that_cannot_be_matched_is_named(animal):
    V, F = animal
    with pytest.raises(ValueError, match="shape 1 of 2: .*600"):
        geodome.match([animal, (V, F + 1)], landmarks=60)


def test_distances_of_pairs_that_are_not_aligned_are_marked():
    shapes = [geodome.make_shape(name, vertices=n) for name in ("torus", "sphere", "cylinder") for n in (300, 400)]
    every = geodome.match(shapes, landmarks=60)
    assert not every.estimated.any()
    some = geodome.match(shapes, landmarks=60, candidates=1)
    assert some.estimated.any() and (some.estimated == some.estimated.T).all()
    assert (some.distances[~some.estimated] == every.distances[~some.estimated]).all()
    assert not some.estimated[np.arange(6), some.nearest].any()
    with pytest.raises(ValueError, match="candidates must be at least 0, got -1"):
        geodome.match(shapes, landmarks=60, candidates=-1)
