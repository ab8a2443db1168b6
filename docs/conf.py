"""The documentation site: `make docs` (scripts/docs) copies docs/ to build/docs-source and builds it there."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["GEODOME_ROOT"])
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

project = "geodome"
author = "the geodome developers"
copyright = author
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery", "breathe",
              "command_pages", "header_pages"]

html_theme = "furo"
html_title = "geodome"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_sphinx = False
html_copy_source = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

# Docstrings are Markdown in this one respect: names are in single backticks.
default_role = "code"
autodoc_default_options = {"members": True, "inherited-members": False, "member-order": "bysource"}
autodoc_typehints = "none"
napoleon_google_docstring = False

# Command pages: the program whose --help is shown. Header pages: what doxygen made of the public headers.
geodome_program = os.environ["GEODOME_PROGRAM"]
geodome_headers = os.environ["GEODOME_HEADERS"]
breathe_projects = {"geodome": os.environ["GEODOME_DOXYGEN"]}
breathe_default_project = "geodome"
breathe_show_include = False

sphinx_gallery_conf = {
    "examples_dirs": os.environ["GEODOME_TUTORIALS"],
    "gallery_dirs": "tutorials",
    "filename_pattern": r"[/\\][a-z_]+\.py$",
    "ignore_pattern": "__init__",
    "within_subsection_order": "tutorial_order.Order",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "remove_config_comments": True,
}

# Every header declares in namespace geodome, which Breathe shows on each page.
suppress_warnings = ["config.cache", "duplicate_declaration.cpp"]
nitpicky = False
