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


# --- Commands of geodome: those of results are checked for their options, all others run, on small shapes.

def commands(code):
    """Command lines of geodome in a snippet, without comments; continued lines are joined."""
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[0] == "geodome":
            yield words[1:]


def is_result(place):
    return place.startswith("docs/results/")


SHOWN = [(place, words) for place, code in snippets("sh") for words in commands(code)]
RESULTS = [(place, words) for place, words in SHOWN if is_result(place)]


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


@pytest.mark.parametrize("place, words", RESULTS, ids=[f"{place} {words[0]}" for place, words in RESULTS])
def test_options_of_measured_commands_exist(place, words, options):
    used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= options(words[0]), place


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the files that the documentation speaks of, all small."""
    folder = tmp_path_factory.mktemp("snippets")
    for number, name in enumerate(["bunny.obj", "cat.ply", "cat.off", "brain.ply", "dragon.ply", "creature.ply",
                                   "lh.ply", "poses/cat0.off", "poses/cat1.off", "poses/dog0.off"]):
        (folder / name).parent.mkdir(exist_ok=True)
        geodome.make_shape("creature", vertices=5000 if name == "bunny.obj" else 900, pose=number % 8).write(folder / name)
    for name in ["bunny", "cat", "creature", "lh"]:
        shape = next(folder.glob(f"{name}.*"))
        geodome.build(shape, landmarks=100).save(folder / f"{name}.geodome")
    (folder / "pairs.txt").write_text("0 7\n17 99\n")
    (folder / "mask.txt").write_text("0\n" * 10 + "1\n" * 890)
    return folder


@pytest.mark.parametrize("place, code", [(place, code) for place, code in snippets("sh") if not is_result(place)],
                         ids=[place for place, _ in snippets("sh") if not is_result(place)])
def test_commands_run(place, code, workplace):
    """Snippet by snippet: later lines read what earlier ones wrote."""
    for words in commands(code):
        files = [word for argument in words for word in (sorted(str(one.relative_to(workplace))
                 for one in workplace.glob(argument)) if "*" in argument else [argument])]
        done = subprocess.run([PROGRAM, *files], cwd=workplace, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"DISPLAY": ""})
        assert done.returncode == 0, f"{place}: geodome {' '.join(files)}\n{done.stderr}"
