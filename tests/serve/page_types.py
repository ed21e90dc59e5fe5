#!/usr/bin/env python3
"""Compares the page's types with the server's description of its API, from which they are made.

    tests/serve/page_types.py build/src/fendex           exit status 1 if types.ts is stale
    tests/serve/page_types.py build/src/fendex --write   writes it anew

/api/openapi.json describes the shapes of the answers and the filters with their choices;
src/serve/web/src/types.ts has both as TypeScript, so that the page's type check finds whatever it
reads or asks under another name than the server's.
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = ROOT / "src/serve/web/src/types.ts"
HEAD = """\
// The answers of /api/v1 and its filters. Made from the server's description; to write it anew:
//     tests/serve/page_types.py build/src/fendex --write
"""
NAMES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean",
         "null": "null"}


def description(fendex):
    """What a server with one small database answers to /api/openapi.json."""
    fendex = pathlib.Path(fendex).resolve()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([fendex, "import", "one.db", ROOT / "samples/classics.pgn", "--quiet"],
                       cwd=folder, check=True)
        server = subprocess.Popen([fendex, "serve", "one.db", "--listen", "127.0.0.1:0"], cwd=folder,
                                  stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().split()[2]
            with urllib.request.urlopen(address + "api/openapi.json", timeout=60) as answer:
                return json.load(answer)
        finally:
            server.terminate()
            server.wait(60)


def last_part(reference):
    return reference["$ref"].rsplit("/", 1)[1]


def type_of(schema):
    """The TypeScript of a JSON Schema, as far as the description uses JSON Schema."""
    if "$ref" in schema:
        return last_part(schema)
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(type_of(each) for each in schema["anyOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(type_of_kind(kind, schema) for kind in kinds)


def type_of_kind(kind, schema):
    if kind == "object":
        return f"Record<string, {type_of(schema['additionalProperties'])}>"
    if kind != "array":
        return NAMES[kind]
    items = type_of(schema["items"])
    return f"({items})[]" if "|" in items else items + "[]"


def interface(name, schema):
    lines = [f"export interface {name} {{"]
    for member, described in schema["properties"].items():
        mark = "" if member in schema["required"] else "?"
        help_text = f" // {described['description']}" if "description" in described else ""
        lines.append(f"    {member}{mark}: {type_of(described)};{help_text}")
    return lines + ["}", ""]


def page(paths):
    """The interface of the pages of a list. All lists have the same, but for their rows."""
    for path, operations in paths.items():
        content = next(iter(operations.values()))["responses"]["200"]["content"]
        schema = content.get("application/json", {}).get("schema", {})
        for each in schema.get("oneOf", [schema]):
            if "items" in each.get("properties", {}):
                return re.sub(r"\w+\[\]", "Row[]", "\n".join(interface("Page<Row>", each)))
    raise ValueError("no path answers pages")


def filters(parameters):
    lines = ["// prettier-ignore", "export const kFilterFields = ["]
    for name, parameter in parameters.items():
        schema = parameter["schema"]
        once = schema.get("items", schema)
        field = {"name": name, "type": once["type"], "repeatable": "items" in schema,
                 "choices": once.get("enum", [])}
        members = ", ".join(f"{key}: {json.dumps(value)}" for key, value in field.items())
        lines.append(f"    {{ {members} }},")
    return lines + ["] as const;", ""]


def types(described):
    components = described["components"]
    lines = [HEAD]
    for name, schema in components["schemas"].items():
        lines += interface(name, schema)
    lines.append(page(described["paths"]))
    lines += filters(components["parameters"])
    return "\n".join(lines)


def main():
    wanted = types(description(sys.argv[1]))
    if sys.argv[2:] == ["--write"]:
        TYPES.write_text(wanted, encoding="utf-8")
        return 0
    found = TYPES.read_text(encoding="utf-8")
    changes = list(difflib.unified_diff(found.splitlines(), wanted.splitlines(), str(TYPES),
                                        "made from the description", lineterm=""))
    if changes:
        print("\n".join(changes))
        print(f"\n{TYPES.relative_to(ROOT)} is stale. Write it anew:\n"
              f"    {' '.join(sys.argv)} --write")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
