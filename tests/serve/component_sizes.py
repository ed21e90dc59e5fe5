#!/usr/bin/env python3
"""Checks that each file of the page with components has fewer than 100 lines: a component that grows is
split along its subjects."""
import pathlib
import sys

LIMIT = 100
PAGE = pathlib.Path(__file__).resolve().parents[2] / "src/serve/web/src"

files = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in PAGE.rglob("*.tsx")}
large = {file: lines for file, lines in files.items() if lines >= LIMIT}
for file, lines in sorted(large.items()):
    print(f"{file.relative_to(PAGE)} has {lines} lines; a file with components has fewer than {LIMIT}")
print(f"{len(files)} files, {len(large)} too large")
sys.exit(1 if large or not files else 0)
