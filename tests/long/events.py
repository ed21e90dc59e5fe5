#!/usr/bin/env python3
"""Compares the events of a database with sums over the tags of its games, as PGN that it exports.

    tests/long/events.py --build build [--seed 6] [DATABASE...]

Without databases it makes one of the samples, one of random games, and joins names in both. Asks for all
events, and for those of games that fit some filters; of one database and of all together; and that --event
=NAME gives the games of an event that is listed, and no others. Exit status 1 if an answer differs.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import random
import re
import sys
import tempfile

from same_answers import SAMPLES, Build

FILTERS = ([], ["--since", "1990"], ["--player", "karpov"], ["--event", "open"], ["--min-elo", "2500"],
           ["--event", "linares", "--until", "2010"], ["--event", "=?"], ["--result", "1/2-1/2"])
TAG = re.compile(r'\[(\w+) "(.*)"\]')
SPELLINGS = {
    "events": [["Linares 14th", "LINARES (14)"], ["Мемориал Алехина", "Memorial Alekhina"], ["Live Chess"], ["="],
               ["?"], [""]],
    "players": [["Karpov, Anatoly", "Карпов, Анатолий", "Karpov,A"], ["Polgar, Judit", "Polgar,J"], ["Short, N"],
                ["?"], [""]],
    "sites": [["Linares ESP", "Linares"], ["Москва", "Moscow"], ["https://lichess.org/abcdefgh"], ["?"]],
}

SAMPLE_SPELLINGS = {"events": [["Live Chess", "Live Chess - Chess960"], ["Hastings", "New York"]],
                    "players": [["Carlsen,M", "Aronian,L"]], "sites": [["New York USA", "Hastings ENG"]]}


@dataclasses.dataclass
class Event:
    games: int = 0
    players: set = dataclasses.field(default_factory=set)
    sites: set = dataclasses.field(default_factory=set)
    ratings: list = dataclasses.field(default_factory=list)
    years: list = dataclasses.field(default_factory=list)

    def add(self, tags, name_of):
        self.games += 1
        self.players |= {name_of("players", tags.get(side)) for side in ("White", "Black")} - {"?"}
        site = name_of("sites", tags.get("Site"))
        if site != "?" and not site.startswith(("http://", "https://")):
            self.sites.add(site)
        for side in "White", "Black":
            rating = tags.get(f"{side}Elo", "")
            if rating.isdigit() and int(rating):
                self.ratings.append(int(rating))
        for name in "Date", "UTCDate":
            year = tags.get(name, "")[:4]
            if year.isdigit() and int(year):
                self.years.append(int(year))
                break

    def row(self):
        count = len(self.ratings)
        return {"games": self.games, "players": len(self.players), "sites": len(self.sites),
                "average_rating": (sum(self.ratings) + count // 2) // count if count else None,
                "first_year": min(self.years, default=None), "last_year": max(self.years, default=None)}


def random_games(numbers):
    for _ in range(2000):
        tags = [("Date", numbers.choice(("1994.02.??", "????.??.??", "2003.12.30"))), ("Result", "*")]
        for tag, kind in ("Event", "events"), ("Site", "sites"), ("White", "players"), ("Black", "players"):
            if numbers.random() < .9:
                tags.append((tag, numbers.choice(numbers.choice(SPELLINGS[kind]))))
        for side in "White", "Black":
            if numbers.random() < .6:
                tags.append((f"{side}Elo", str(numbers.randint(2300, 2800))))
        yield "".join(f'[{name} "{value}"]\n' for name, value in tags) + "\n1. e4 *\n\n"


class Database:
    def __init__(self, build, path):
        self.build = build
        self.path = str(path)
        self.joined = {kind: {row["name"]: row["canonical"] for row in self.rows(
            "names", "--joined", "--of", kind)} for kind in SPELLINGS}

    def rows(self, verb, *words):
        status, out, errors = self.build.run([verb, self.path, *words, "--format", "json"], ".")
        if status == 2:
            sys.exit(f"{verb} {words}: {errors.decode()}")
        return [json.loads(line) for line in out.decode().splitlines()]

    def name_of(self, kind, name):
        name = self.joined[kind].get(name, name)
        return "?" if name in (None, "") else name

    def add_events(self, filter_words, events):
        out = self.build.run(["export", self.path, "--quiet", *filter_words], ".")[1]
        for game in re.split(r'\n\n(?=\[)', out.decode(errors="surrogateescape")):
            head = game.split("\n\n", 1)[0]
            tags = dict(reversed([(name, re.sub(r"\\(.)", r"\1", value)) for name, value in TAG.findall(head)]))
            if tags:
                events[self.name_of("events", tags.get("Event"))].add(tags, self.name_of)


def make_databases(build, folder, seed):
    (folder / "random.pgn").write_text("".join(random_games(random.Random(seed))), encoding="utf-8")
    for name, source, spellings in (("samples.db", SAMPLES, SAMPLE_SPELLINGS),
                                    ("random.db", folder / "random.pgn", SPELLINGS)):
        build.make(["import", folder / name, source, "--quiet"], folder)
        for kind, persons in spellings.items():
            for person in persons:
                if len(person) > 1:
                    build.make(["names", folder / name, "--join", *person, "--of", kind, "--quiet"], folder)
    return [folder / "samples.db", folder / "random.db"]


def differences(build, databases, words):
    expected = collections.defaultdict(Event)
    for each in databases:
        each.add_events(words, expected)
    out = build.run(["events", *(each.path for each in databases), *words, "--format", "json"], ".")[1]
    found = {row.pop("event"): row for row in map(json.loads, out.decode().splitlines())}
    print(f"{len(databases)} databases, {' '.join(words) or 'all games'}: {len(found)} events")
    for name in sorted({*expected, *found}):
        row = expected[name].row() if name in expected else None
        if row != found.get(name):
            yield f"{name}: {row} expected, {found.get(name)} found"
    for name in random.Random(1).sample(sorted(found), min(5, len(found))):
        if any(word.startswith("--event") for word in words):
            break
        games = sum(len(each.rows("games", *words, "--event", f"={name}")) for each in databases)
        if games != found[name]["games"]:
            yield f"--event ={name}: {games} games, {found[name]['games']} expected"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("databases", nargs="*")
    options = parser.parse_args()
    build = Build(options.build)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = options.databases or make_databases(build, pathlib.Path(folder), options.seed)
        databases = [Database(build, pathlib.Path(path).resolve()) for path in paths]
        asked = [[each] for each in databases] + ([databases] if len(databases) > 1 else [])
        for some in asked:
            for words in FILTERS:
                for line in differences(build, some, words):
                    print(f"  {line}")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
