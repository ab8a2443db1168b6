"""Links between pages lead somewhere, and so do the pages that sources mention."""

import pathlib
import re
import subprocess
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
# Written when the site is built (docs/extensions).
GENERATED = {"docs/tutorials/index", "docs/commands/index", "docs/cpp/index", "docs/changelog"}


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchor(heading):
    """The anchor that GitHub and MyST give a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    kept = "".join(one for one in plain if one in " -_" or unicodedata.category(one)[0] in "LN")
    return kept.replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", without_code(page.read_text()), re.MULTILINE)}


def broken_links(page):
    for link in LINK.findall(without_code(page.read_text())):
        path, _, name = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (page.parent / path).resolve() if path else page
        if target.is_relative_to(ROOT) and target.relative_to(ROOT).as_posix() in GENERATED:
            continue
        if not target.exists() or (name and name not in anchors(target)):
            yield f"{page.relative_to(ROOT)}: {link}"


def test_links_lead_somewhere():
    assert [fault for page in PAGES for fault in broken_links(page)] == []


def test_a_broken_link_is_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "there.md").write_text("# Some `code`, and more\n")
    page = tmp_path / "page.md"
    page.write_text("[a](there.md#some-code-and-more) [b](there.md#no) [c](not_there.md) [d](#no)\n```\n[e](no.md)\n```\n")
    assert [fault.split(": ")[1] for fault in broken_links(page)] == ["there.md#no", "not_there.md", "#no"]


def test_every_page_can_be_reached():
    """From a table of contents: what is in none is not on the site."""
    listed = set()
    for page in (ROOT / "docs").rglob("*.md"):
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            entries = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / entry).relative_to(ROOT / "docs").as_posix() for entry in entries}
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert pages - listed == {"index"}


def test_sources_mention_pages_that_exist():
    files = subprocess.run(["git", "ls-files", "src", "cli", "python", "viewer", "scripts", "bench", "fuzz", "examples",
                            "tests", "cmake", "Makefile", "CHANGELOG.md"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split("\n")
    faults = []
    for file in filter(None, files):
        path = ROOT / file
        if path.suffix in {".png", ".json"} or not path.is_file():
            continue
        for name in re.findall(r"\bdocs/[\w/]+\.md\b", path.read_text(errors="replace")):
            if not (ROOT / name).exists():
                faults.append(f"{file}: {name}")
    assert faults == []
