#!/usr/bin/env python3
"""Grades the scores of `fendex names` with spellings of its own making.

    tests/long/name_scores.py --fendex build/src/fendex --archive human.pgn.zst

Takes the games of players whose names are written in full ("Karpov, Anatoly"); of names that could
be one person's (the same last name, and one first name begins with the other) only the one with the
most games. Then a part of the games of some players gets another spelling, of one kind for each
player. A pair of names is right if both are one player's. Prints for each threshold the precision,
and the recall over all and for each kind. A pair of two names of the archive that are nevertheless
one person's counts as wrong, so the precision is a lower bound; --wrong lists such pairs. With
--known, names whose last name and initial are in another archive, by which scores were tuned, are
not graded.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile

THRESHOLDS = (90, 80, 70, 50)
FULL = re.compile(r"[A-Z][a-z]{2,}(?:[ -][A-Z][a-z]+)?, [A-Z][a-z]{3,}(?: [A-Z][a-z]*)?$")
# In the order in which they are tried; each is one way to write a sound.
SOUNDS = (("shch", "sch"), ("ch", "tsch"), ("zh", "j"), ("sh", "sch"), ("kh", "h"), ("ya", "ia"),
          ("yu", "ju"), ("iy", "y"), ("ei", "ey"), ("ov", "ow"), ("ev", "ew"), ("v", "w"), ("c", "k"))


def initial(last, first, _):
    return f"{last},{first[0]}"


def short(last, first, _):
    return f"{last},{first[:2]}"


def turned(last, first, _):
    return f"{first} {last}"


def no_comma(last, first, _):
    return f"{last.upper()} {first}"


def sounds(last, first, _):
    for old, new in SOUNDS:
        if old in last[1:]:
            return last[0] + last[1:].replace(old, new, 1) + ", " + first
    return None


def typing_error(last, first, chance):
    if len(first) < 6:
        return None
    at = chance.randrange(1, len(first) - 2)
    return f"{last}, {first[:at]}{first[at + 1]}{first[at]}{first[at + 2:]}"


def middle(last, first, chance):
    return None if " " in first else f"{last}, {first} {chance.choice('ABDEGIJKLMNPRSTV')}"


KINDS = (initial, short, turned, no_comma, sounds, typing_error, middle)


def text_of(archive):
    return subprocess.run(["zstd", "-dcq", archive], stdout=subprocess.PIPE,
                          check=True).stdout.decode("latin-1")


def person_of(name):
    last, _, first = name.partition(",")
    return last.strip().lower(), first.strip()[:1].lower()


def games_of(archive):
    for game in re.split(r"\r?\n\r?\n(?=\[Event )", text_of(archive)):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.M))
        if FULL.match(tags.get("White", "")) and FULL.match(tags.get("Black", "")):
            yield tags


def distinct(counts):
    """The names that are no other's spelling."""
    groups = collections.defaultdict(list)
    for name in sorted(counts, key=lambda each: (-counts[each], each)):
        last, first = name.split(", ")
        known = groups[last.split()[0].split("-")[0]]
        if not any(first.startswith(other) or other.startswith(first) for other in known):
            known.append(first)
            yield name


def spelled(names, counts, chance):
    """Spellings by name, each of a kind."""
    out, taken = {}, set(names)
    for number, name in enumerate(names):
        if counts[name] < 4:
            continue
        kind = KINDS[number % len(KINDS)]
        other = kind(*name.split(", "), chance)
        if other and other != name and other not in taken:
            taken.add(other)
            out[name] = (other, kind.__name__)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fendex", default="build/src/fendex", type=pathlib.Path)
    parser.add_argument("--archive", required=True)
    parser.add_argument("--known", help="an archive whose names are not graded")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--wrong", default=0, type=int, help="lists so many wrong pairs")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    games = list(games_of(options.archive))
    counts = collections.Counter(name for tags in games for name in (tags["White"], tags["Black"]))
    names = list(distinct(counts))
    known = set()
    if options.known:
        known = {person_of(name) for name in
                 re.findall(r'^\[(?:White|Black) "(.*)"\]', text_of(options.known), re.M)}
    graded = [name for name in names if person_of(name) not in known]
    others = spelled(graded, counts, chance)
    kept = set(names)
    with tempfile.TemporaryDirectory(prefix="fendex-names-") as directory:
        archive, database = pathlib.Path(directory, "games.pgn"), pathlib.Path(directory, "my.db")
        with open(archive, "w", encoding="utf-8") as out:
            for number, tags in enumerate(games):
                if tags["White"] not in kept or tags["Black"] not in kept:
                    continue
                for color in ("White", "Black"):
                    name = tags[color]
                    if name in others and chance.random() < 0.4:
                        tags[color] = others[name][0]
                # Different moves, so that no game is taken for another.
                out.write("".join(f'[{name} "{value}"]\n' for name, value in tags.items()))
                out.write(f"\n1. {'abcdefgh'[number % 8]}4 {tags.get('Result', '*')}\n\n")
        fendex = [options.fendex.resolve()]
        subprocess.run([*fendex, "import", database, archive, "--quiet"], check=True)
        found = subprocess.run([*fendex, "names", database, "--format", "json"], check=True,
                               stdout=subprocess.PIPE).stdout
    person = {other: name for name, (other, _) in others.items()}
    kinds = collections.Counter(kind for _, kind in others.values())
    pairs = [pair for pair in map(json.loads, found.splitlines())
             if person_of(person.get(pair["name"], pair["name"])) not in known
             or person_of(person.get(pair["canonical"], pair["canonical"])) not in known]
    for pair in pairs:
        one, two = pair["name"], pair["canonical"]
        pair["right"] = person.get(one, one) == person.get(two, two)
    print(f"{len(graded)} names, {len(others)} with another spelling")
    for least in THRESHOLDS:
        above = [pair for pair in pairs if pair["score"] >= least]
        right = [pair for pair in above if pair["right"]]
        by_kind = collections.Counter(
            others[person.get(pair["name"], pair["name"])][1] for pair in right)
        print(f"score {least}: precision {len(right) / max(1, len(above)):.3f}"
              f" ({len(above)} pairs), recall {len(right) / len(others):.3f};",
              ", ".join(f"{kind} {by_kind[kind] / kinds[kind]:.2f}" for kind in kinds))
    wrong = [pair for pair in pairs if not pair["right"]]
    for pair in wrong[:options.wrong]:
        print(pair["score"], pair["name"], "|", pair["canonical"], "|", pair["reason"], "|",
              pair["against"])


if __name__ == "__main__":
    main()
