"""`geodome view` opens the browser where somebody sits in front of it, and nowhere else."""

import os
import pathlib
import pty
import re
import signal
import subprocess
import time

import pytest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "geodome"


@pytest.fixture
def desktop(tmp_path, matrix):
    """A file to show, and a folder with an xdg-open that writes down what it is asked to open."""
    matrix.save(tmp_path / "animal.geodome")
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/part" && mv "{tmp_path}/part" "{tmp_path}/opened"\n')
    opener.chmod(0o755)
    return tmp_path


def serve(folder, *options, terminal=True, display=":0"):
    """Runs `geodome view` until the page is served and some time later. Returns its address and what was opened."""
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    reading, writing = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen([PROGRAM, "view", folder / "animal.geodome", *options], stdin=subprocess.DEVNULL,
                               stdout=writing, stderr=subprocess.DEVNULL, env=environment)
    os.close(writing)
    said = b""
    while not (found := re.search(rb"(http://[\w.:/-]+)\W", said)):
        said += os.read(reading, 1000)
    opened = folder / "opened"
    for _ in range(20 if terminal and display and not options else 3):
        if opened.exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    os.close(reading)
    return found.group(1).decode(), opened.read_text().strip() if opened.exists() else None


def test_the_page_is_opened(desktop):
    address, opened = serve(desktop)
    assert opened == address


@pytest.mark.parametrize("options, terminal, display", [(["--no-open"], True, ":0"), ([], True, ""), ([], False, ":0"),
                                                        (["--json"], True, ":0")])
def test_nothing_is_opened(desktop, options, terminal, display):
    _, opened = serve(desktop, *options, terminal=terminal, display=display)
    assert opened is None
