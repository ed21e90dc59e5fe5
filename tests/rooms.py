#!/usr/bin/env python3
"""Checks that includes go down: every source of a room includes rooms below it only, and the members
of a class are defined in the room that declares it.

    tests/rooms.py          says what goes up, and fails if anything does
    tests/rooms.py --draw   prints for each room which rooms it includes, and how often
"""
import collections
import pathlib
import re
import sys

# In order from the lowest; a room may include those before it.
ROOMS = """base chess pgn codec store replay store/sqlite/file store/sqlite/sums store/sqlite/caches
store/sqlite/tables store/sqlite/segments store/sqlite/records store/sqlite/engine store/sqlite/reader store/sqlite/index
store/sqlite/writer store/sqlite/upgrade store/sqlite/repair store/sqlite upkeep ingest clickhouse/client clickhouse query
emit uci ask sqlite_ext fendex serve/http serve serve/explorer serve/api cli/options cli/output cli/verbs
cli/generate cli""".split()

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"


def room_of(path):
    """The innermost room that a path below src/ is in; None for what is made by the build."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in ROOMS:
            return "/".join(parts[:length])
    return None


def classes_of(text):
    """The names of the classes that a header declares with their members."""
    return re.findall(r"^\s*(?:class|struct)\s+(\w+)(?:\s+final)?\s*(?::[^;{]*)?\{", text, re.M)


def misplaced_definitions():
    """Members that are defined in another room than their class."""
    rooms_of_class = collections.defaultdict(set)
    for file in SOURCE.rglob("*.hpp"):
        for name in classes_of(file.read_text(encoding="utf-8")):
            rooms_of_class[name].add(room_of(file.relative_to(SOURCE).as_posix()))
    for file in sorted(SOURCE.rglob("*.cpp")):
        name = file.relative_to(SOURCE).as_posix()
        text = file.read_text(encoding="utf-8")
        own = set(classes_of(text))
        for found in re.finditer(r"^(?![ \t/#]).*?\b(\w+)::~?\w+\([^;]*$", text, re.M):
            rooms = rooms_of_class.get(found[1], set())
            if rooms and room_of(name) not in rooms and found[1] not in own:
                yield (f"src/{name}:{text.count(chr(10), 0, found.start()) + 1} defines a member of "
                       f"{found[1]}, which {', '.join(sorted(map(str, rooms)))} declares")


def main():
    arrows = collections.defaultdict(collections.Counter)
    wrong = []
    for file in sorted(SOURCE.rglob("*.[ch]pp")):
        name = file.relative_to(SOURCE).as_posix()
        room = room_of(name)
        if room is None:
            wrong.append(f"src/{name} is in no room")
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            include = re.match(r'\s*#include "([^"]+)"', line)
            target = include and room_of(include[1])
            if not target or target == room:
                continue
            arrows[room][target] += 1
            if ROOMS.index(target) > ROOMS.index(room):
                wrong.append(f"src/{name}:{number} includes {include[1]}: {target} is above {room}")
    wrong += misplaced_definitions()
    if "--draw" in sys.argv:
        for room in ROOMS:
            below = ", ".join(f"{target} {count}" for target, count in sorted(
                arrows[room].items(), key=lambda each: ROOMS.index(each[0])))
            print(f"{room:12} -> {below}")
    for message in wrong:
        print(message)
    sys.exit(1 if wrong else 0)


main()
