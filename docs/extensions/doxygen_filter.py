"""Prints a header for doxygen: the comment that opens it becomes that of the file, indented lines of comments become
code, and characters that doxygen would take for commands are escaped.

    doxygen_filter.py HEADER
"""

import re
import sys

COMMENT = re.compile(r"^(\s*///)( *)([^<\s].*|)$")
SPECIAL = re.compile(r"[#<>]")


def escaped(line):
    code, slashes, comment = line.partition("///")
    mark = "<" if comment.startswith("<") else ""
    return code + slashes + mark + SPECIAL.sub(r"\\\g<0>", comment.removeprefix("<"))


def filtered(lines):
    code = False
    for line in lines:
        comment = COMMENT.match(line)
        indented = comment is not None and len(comment.group(2)) >= 3
        if indented != code:
            yield "/// @code{.cpp}" if indented else "/// @endcode"
            code = indented
        yield line if code else escaped(line)
        if line.startswith("#pragma once"):
            yield "/// @file"


if __name__ == "__main__":
    with open(sys.argv[1]) as header:
        print("\n".join(filtered(header.read().splitlines())))
