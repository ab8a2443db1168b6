"""What is not installed is in geodome::internal: the names in geodome:: are those of the public headers."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "geodome"

OPENED = re.compile(r"^\s*(?:inline\s+)?namespace\s+(geodome(?:::\w+)*)\s*\{(.*?)^\s*\}", re.MULTILINE | re.DOTALL)
FORWARD = re.compile(r"(?:class|struct|enum class)\s+(\w+)\s*(?::\s*[\w:]+\s*)?;")


def public_headers():
    listed = re.search(r"set\(public_headers\s+(.*?)\)", (ROOT / "cmake" / "install.cmake").read_text(), re.DOTALL)
    return listed.group(1).split()


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def faults(folder, public):
    """What is wrong in each header of `folder` that is not public, one line each."""
    names = "\n".join(without_comments((folder / header).read_text()) for header in public)
    found = []
    for header in sorted([*folder.rglob("*.h"), *folder.rglob("*.inc")]):
        name = header.relative_to(folder).as_posix()
        if name in public:
            continue
        text = without_comments(header.read_text())
        opened = OPENED.findall(text)
        inside = [space for space, _ in opened if re.match(r"geodome::internal(::|$)", space)]
        # A header may be compiled inside a namespace that its includer opens; it declares none itself.
        if header.suffix == ".h" and not inside:
            found.append(f"{name}: opens no namespace geodome::internal")
        for space, body in opened:
            if space in inside:
                continue
            declared = FORWARD.findall(body)
            rest = FORWARD.sub("", body).strip()
            unknown = [one for one in declared if not re.search(rf"\b(?:class|struct|enum class) {one}\b", names)]
            if rest or unknown or not declared:
                found.append(f"{name}: declares names in {space}")
    return found


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_our_headers_are_in_the_right_namespace():
    public = public_headers()
    assert len(public) == 35  # and the version, which is generated
    assert all((SOURCES / header).is_file() for header in public)
    assert faults(SOURCES, public) == []


def test_a_header_in_the_public_namespace_is_named(tmp_path):
    write(tmp_path, "base/a.h", "namespace geodome {\n\nint sum(int a, int b);\n\n}  // namespace geodome\n")
    assert faults(tmp_path, []) == ["base/a.h: opens no namespace geodome::internal",
                                    "base/a.h: declares names in geodome"]


def test_one_name_beside_the_internal_ones_is_enough(tmp_path):
    write(tmp_path, "a.h", "namespace geodome {\nclass Side {\n};\n}\nnamespace geodome::internal {\nint sum();\n}\n")
    assert faults(tmp_path, []) == ["a.h: declares names in geodome"]


def test_a_public_type_may_be_declared_ahead(tmp_path):
    write(tmp_path, "shape.h", "namespace geodome {\nstruct Shape {\n  int vertices;\n};\n}\n")
    write(tmp_path, "a.h", "namespace geodome {\nstruct Shape;\n}\nnamespace geodome::internal {\nint sum();\n}\n")
    write(tmp_path, "b.h", "namespace geodome {\nclass Hidden;\n}\nnamespace geodome::internal {\nint sum();\n}\n")
    assert faults(tmp_path, ["shape.h"]) == ["b.h: declares names in geodome"]
