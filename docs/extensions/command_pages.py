"""Writes a page for every command from what `geodome COMMAND --help` prints."""

import pathlib
import re
import subprocess


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip()


def commands_in(text):
    """Names and descriptions in the list of subcommands of a help text."""
    listed = re.split(r"^(?:Commands|SUBCOMMANDS|Subcommands):?\s*$", text, flags=re.MULTILINE)[1]
    return re.findall(r"^  ([a-z]+)\s+(\S.*(?:\n {10,}\S.*)*)", listed, re.MULTILINE)


def write_pages(app):
    folder = pathlib.Path(app.srcdir) / "commands"
    folder.mkdir(exist_ok=True)
    overview = help_of(app.config.geodome_program)
    commands = commands_in(overview)
    assert commands, "no commands in the help of the program"
    rows = [f"| [{name}]({name}.md) | {' '.join(does.split())} |" for name, does in commands]
    toctree = "\n".join(["```{toctree}", ":hidden:", *(name for name, _ in commands), "```"])
    (folder / "index.md").write_text("\n".join([
        "# Commands", "", "What `geodome COMMAND --help` prints.", "", "| command | does |", "|---|---|", *rows, "",
        toctree, "", "```text", overview, "```", ""]))
    for name, _ in commands:
        (folder / f"{name}.md").write_text(
            f"# geodome {name}\n\n```text\n{help_of(app.config.geodome_program, name)}\n```\n")


def setup(app):
    app.add_config_value("geodome_program", None, "env")
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
