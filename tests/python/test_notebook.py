"""What notebooks show."""

import base64
import re

import geodome
import numpy as np
import pytest
from conftest import PROGRAM


def test_shapes_and_matrices_show_themselves(animal, matrix):
    for thing, words in ((animal, "600 vertices"), (matrix, "mean error")):
        shown = thing._repr_html_()
        [data] = re.findall(r"base64,([^\"]+)", shown)
        assert base64.b64decode(data)[:4] == b"\x89PNG" and words in shown and "&lt;geodome." in shown
    assert matrix.certificate in matrix._repr_html_()
    cloud = geodome.as_shape(points=animal.points)
    assert "img" not in cloud._repr_html_() and "point cloud" in cloud._repr_html_()
    assert "img" not in geodome.build(samples=animal.points[:90])._repr_html_()


def test_pictures_of_values(animal):
    values = animal.points[:, 0].copy()
    picture = animal.picture(values=values)
    assert picture.shape == (480, 640, 3) and len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    np.testing.assert_array_equal(animal.picture(values=5 * values - 3), picture)
    red = animal.picture(values=values, cmap=lambda share: np.column_stack([share * 0 + 1, share * 0, share * 0, share]))
    drawn = (red != red[0, 0]).any(axis=2)
    assert drawn.any() and (red[drawn][:, 0] > red[drawn][:, 1]).all()
    values[:] = np.nan
    assert np.ptp(animal.picture(values=values)[drawn].astype(int), axis=1).max() < 20  # grey
    for wrong in ({"values": values[:-1]}, {"values": values, "colours": np.zeros((600, 3))}):
        with pytest.raises(ValueError, match="values="):
            animal.picture(**wrong)


def test_the_page_is_shown(matrix, tmp_path, monkeypatch):
    page = matrix.view(program=PROGRAM)
    assert page.html.lstrip().lower().startswith("<!doctype html") and "iframe" in page._repr_html_()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="program="):
        matrix.view()
    with pytest.raises(ValueError, match="could not be made|no file"):
        geodome.build(matrix.geometry, method="ctg", landmarks=50).view(program=PROGRAM)
