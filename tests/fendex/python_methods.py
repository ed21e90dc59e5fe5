#!/usr/bin/env python3
"""Writes the questions of samples/python/fendex.py from what the library says of them.

    python_methods.py LIBRARY            prints the module as it should be; exit status 1 if it is not
    python_methods.py LIBRARY --write    writes it
"""

import ctypes
import json
import pathlib
import sys
import textwrap

WIDTH = 90

MODULE = pathlib.Path(__file__).resolve().parents[2] / "samples" / "python" / "fendex.py"
BEGIN = "    # Written by tests/fendex/python_methods.py from what the library says of its questions.\n"
END = "    # The end of what is written.\n"

# What can be given without its name.
REPERTOIRE = ("repertoire", "repertoire_gaps", "repertoire_coverage",
              "repertoire_contradictions")
POSITIONAL = {"fen": ("find", "count", "tree", "repeats"), "game": ("game", "pgn", "plies"),
              "name": ("player", "prepare"), "color": ("prepare", *REPERTOIRE), "pgn": ("novelty", *REPERTOIRE),
              "query": ("sql",)}
TYPES = {"string": "str", "integer": "int", "boolean": "bool", "object": "Mapping[str, str]",
         "array": "Sequence[str]"}


def type_of(member):
    if member["name"] in ("since", "until"):
        return "Date"
    if "choices" in member:
        literal = "Literal[" + ", ".join(json.dumps(each) for each in member["choices"]) + "]"
        return f"Union[{literal}, Sequence[{literal}]]" if member["type"] == "array" else literal
    return TYPES[member["type"]]


def filled(items, indent, first=""):
    """Returns lines of items with commas between them, none of them broken."""
    lines = [" " * indent + first]
    for i, item in enumerate(items):
        text = item + ("," if i + 1 < len(items) else "")
        if len(lines[-1]) + len(text) + 1 > WIDTH and lines[-1].strip():
            lines.append(" " * indent)
        lines[-1] += ("" if lines[-1].isspace() or lines[-1].endswith("(") else " ") + text
    return lines


def with_opponent(members):
    """Adds the second player, which the command line and the server take as a second `player`."""
    for member in members:
        yield member
        if member["name"] == "player":
            yield {"name": "opponent", "type": "string", "required": False}


def method(name, question):
    members = list(with_opponent(question["members"]))
    first = [each for each in members if name in POSITIONAL.get(each["name"], ())]
    named = [each for each in members if each not in first]

    def parameter(member):
        if member["required"]:
            return f"{member['name']}: {type_of(member)}"
        return f"{member['name']}: Optional[{type_of(member)}] = None"

    returned = {"tree": "Tree", "pgn": "str"}.get(name, "Answers" if question["list"] else "Answer")
    parameters = ["self", *map(parameter, first)]
    if named:
        parameters += ["*", *map(parameter, named)]
    lines = [f"    def {name}("]
    lines += filled(parameters, 8)
    lines[-1] += ","
    lines.append(f"    ) -> {returned}:")
    summary = question["summary"]
    summary = summary[0].upper() + summary[1:]
    lines += textwrap.wrap(f'"""{summary}."""', WIDTH, initial_indent=" " * 8,
                           subsequent_indent=" " * 8)
    given = [f'"{name}"'] + [f"{each['name']}={each['name']}" for each in first + named]
    begin, end = {"tree": ("Tree(self._only(", "))"), "pgn": ("str(self._only(", ')["pgn"])')}.get(
        name, ("self._ask(" if question["list"] else "self._only(", ")"))
    lines.append(f"        return {begin}")
    lines += filled(given, 12)
    lines.append(f"        {end}")
    return "\n".join(lines) + "\n"


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.fendex_questions.restype = ctypes.c_char_p
    questions = json.loads(library.fendex_questions())
    text = MODULE.read_text(encoding="utf-8")
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END)
    methods = "\n" + "\n".join(method(*each) for each in questions.items()) + "\n"
    wanted = text[:begin] + methods + text[end:]
    if "--write" in sys.argv:
        MODULE.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        sys.stdout.write(wanted)
        sys.exit(f"{MODULE.name} is not what the library's questions make: {sys.argv[0]} LIBRARY --write")


main()
