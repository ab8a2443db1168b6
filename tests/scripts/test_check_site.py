"""scripts/check_site on small sites."""

import pathlib
import subprocess

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_site"


def check(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text)
    return subprocess.run([PROGRAM, folder], stderr=subprocess.PIPE, text=True)


def test_a_good_site_passes(tmp_path):
    (tmp_path / "a.css").write_text("body { color: black }")
    done = check(tmp_path, index='<link rel="stylesheet" href="a.css"><a href="page.html#there">x</a> <a href="#top">y</a>'
                                 '<p id="top"><a href="https://example.org">elsewhere</a>',
                 page='<h1 id="there">z</h1><img src="data:,">')
    assert (done.returncode, done.stderr) == (0, "")


def test_every_fault_is_named(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url(https://example.org/font) }")
    done = check(tmp_path, index='<a href="none.html">a</a><a href="page.html#none">b</a><a href="#no">c</a>'
                                 '<script src="https://example.org/a.js"></script><img src="none.png">',
                 page="")
    assert done.returncode == 1
    for part in ("no file for none.html", "no anchor for page.html#none", "no anchor for #no", "no file for none.png",
                 "loads https://example.org/a.js", "a.css loads something from elsewhere"):
        assert part in done.stderr
