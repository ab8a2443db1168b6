"""Writes a page for every public header, which Breathe fills with what doxygen found in it."""

import pathlib
import re


def summary(header):
    """The first sentence of the comment that opens a header."""
    comment = re.search(r"#pragma once\n((?:///.*\n)*)", header.read_text()).group(1)
    text = " ".join(line[3:].strip() for line in comment.splitlines())
    return re.split(r"(?<=\.)\s", text)[0].strip()


def name_files_by_path(doxygen):
    """In doxygen's index, where files of one name cannot be told apart."""
    index = doxygen / "index.xml"

    def with_path(entry):
        location = re.search(r'<location file="([^"]*)"', (doxygen / f"{entry.group(1)}.xml").read_text()).group(1)
        return f'<compound refid="{entry.group(1)}" kind="file"><name>{location}</name>'

    index.write_text(re.sub(r'<compound refid="([^"]*)" kind="file"><name>[^<]*</name>', with_path, index.read_text()))


def write_pages(app):
    name_files_by_path(pathlib.Path(app.config.breathe_projects["geodome"]))
    include = pathlib.Path(app.config.geodome_headers)
    folder = pathlib.Path(app.srcdir) / "cpp"
    folder.mkdir(exist_ok=True)
    headers = sorted((header.relative_to(include).as_posix() for header in include.glob("geodome/**/*.h")),
                     key=lambda name: (name.count("/"), name))
    rows, pages = [], []
    for name in headers:
        page = name.removeprefix("geodome/").removesuffix(".h").replace("/", "-")
        pages.append(page)
        rows.append(f"| [`{name}`]({page}.md) | {summary(include / name)} |")
        (folder / f"{page}.md").write_text(f"# {name.removeprefix('geodome/')}\n\n```cpp\n#include <{name}>\n```\n\n"
                                           f"```{{eval-rst}}\n.. doxygenfile:: {name}\n```\n")
    toctree = "\n".join(["```{toctree}", ":hidden:", *pages, "```"])
    (folder / "index.md").write_text("\n".join([
        "# C++ reference", "",
        "`geodome/geodome.h` includes all of these headers except the built-in shapes and the version.", "",
        "| header | contents |", "|---|---|", *rows, "", toctree, ""]))


def setup(app):
    app.add_config_value("geodome_headers", None, "env")
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
