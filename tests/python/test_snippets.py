"""The code in the documentation: C++ compiles, commands run."""

import os
import pathlib
import re
import shlex
import subprocess

import geodome
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "geodome"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
INCLUDE = re.compile(r"#include\s+<(.*?)>.*\n")


def snippets(language, pages=PAGES):
    """Pairs of the place of a snippet and its text."""
    found = []
    for page in pages:
        text = page.read_text()
        for block in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            found.append((f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, block.start()) + 1}", block.group(1)))
    assert found
    return found


# --- C++: all of it in one translation unit, each snippet in a function of its own.

def test_cpp_snippets_compile(tmp_path):
    headers, functions = [], []
    for number, (place, code) in enumerate(snippets("cpp")):
        headers += INCLUDE.findall(code)
        assert "#include" in code, f"{place}: no header"
        page, line = place.rsplit(":", 1)
        body = INCLUDE.sub("\n", code)
        functions.append(f'void snippet_{number}() {{\n#line {int(line) + 1} "{page}"\n{body}}}\n')
    source = tmp_path / "snippets.cpp"
    source.write_text("".join(f"#include <{header}>\n" for header in dict.fromkeys(headers)) + "".join(functions))
    eigen = subprocess.run(["pkg-config", "--cflags", "eigen3"], check=True, stdout=subprocess.PIPE, text=True).stdout
    done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", *eigen.split(),
                           "-I", ROOT / "src", "-I", ROOT / "build" / "release" / "generated", source],
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr


STANDARD = {"std::array": "array", "std::get": "variant", "std::cout": "iostream", "std::vector": "vector",
            "std::string": "string"}


def test_cpp_snippets_include_what_they_use():
    """In one translation unit a header of another snippet would do."""
    for place, code in snippets("cpp"):
        included = INCLUDE.findall(code)
        missing = [header for name, header in STANDARD.items() if re.search(rf"{name}\b", code) and header not in included]
        assert not missing, f"{place} uses names of {missing}"
        if "geodome::" in code:
            assert any(header.startswith("geodome/") for header in included), place


def test_cpp_snippets_for_users_need_installed_headers_only():
    """Pages on algorithms may show what is inside the library, if they say so."""
    listed = re.search(r"set\(public_headers\s+(.*?)\)", (ROOT / "cmake" / "install.cmake").read_text(), re.DOTALL)
    public = {f"geodome/{header}" for header in listed.group(1).split()}
    for place, code in snippets("cpp"):
        internal = [header for header in INCLUDE.findall(code) if header.startswith("geodome/") and header not in public]
        if internal:
            page = place.rsplit(":", 1)[0]
            assert page.startswith("docs/methods/"), f"{place} includes {internal}"
            assert "(internal: not installed)" in (ROOT / page).read_text(), f"{place} includes {internal}"


# --- Commands of geodome: measurements are checked for their options, all others run, on small shapes.

def commands(code):
    """Command lines of geodome in a snippet: their words without comments, and the line; continued lines are joined."""
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] == "geodome":
            yield words[1:], line
        elif words and words[0] == "bench/compare.py":  # what is after -- are arguments of geodome compare
            yield ["compare", *words[words.index("--") + 1:]], line


def is_measurement(place, words):
    return place.startswith("docs/results/") or words[0] == "compare"


SHOWN = [(place, words) for place, code in snippets("sh") for words, _ in commands(code)]
MEASUREMENTS = [(place, words) for place, words in SHOWN if is_measurement(place, words)]


@pytest.fixture(scope="module")
def options():
    """The options of every command."""
    known = {}

    def of(command):
        if command not in known:
            text = subprocess.run([PROGRAM, command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
            known[command] = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))
        return known[command]

    return of


@pytest.mark.parametrize("place, words", MEASUREMENTS, ids=[f"{place} {words[0]}" for place, words in MEASUREMENTS])
def test_options_of_measured_commands_exist(place, words, options):
    used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= options(words[0]), place


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the files that the documentation speaks of, all small."""
    folder = tmp_path_factory.mktemp("snippets")
    for number, name in enumerate(["bunny.obj", "cat.ply", "cat.off", "brain.ply", "dragon.ply", "creature.ply",
                                   "lh.ply", "cortex.ply", "poses/cat0.off", "poses/cat1.off", "poses/dog0.off"]):
        (folder / name).parent.mkdir(exist_ok=True)
        geodome.make_shape("creature", vertices=900, pose=number % 8).write(folder / name)
    for name in ["bunny", "cat", "cortex", "creature", "lh"]:
        shape = next(folder.glob(f"{name}.*"))
        geodome.build(shape, landmarks=100).save(folder / f"{name}.geodome")
    (folder / "pairs.txt").write_text("0 7\n17 99\n")
    (folder / "vertices.txt").write_text("3\n99\n500\n")
    (folder / "v.csv").write_text("vertex,thickness\n3,1.5\n99,2\n500,0.5\n")
    (folder / "mask.txt").write_text("0\n" * 10 + "1\n" * 890)
    return folder


RUN = [(place, lines) for place, code in snippets("sh")
       if (lines := [line for words, line in commands(code) if not is_measurement(place, words)])]


@pytest.mark.parametrize("place, lines", RUN, ids=[place for place, _ in RUN])
def test_commands_run(place, lines, workplace):
    """Snippet by snippet: later lines read what earlier ones wrote."""
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=workplace, env=os.environ | {"PATH": path}, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 0, f"{place}: {line}\n{done.stderr}"
