#!/usr/bin/env python3
"""Counts the files that a new filter, question, column of games and ply column take, by adding them.

    tests/journeys.py --build DIR

Copies the project to DIR, adds a toy filter (`decided`: games that one side won), a toy question
(`longest`: the longest games first), a toy column of games (`full_moves`) and a toy ply column
(`move_number`), builds, and asks for them on every surface: command line (table, JSON, CSV), help, manual page,
completion, HTTP and its description, the page's types, Python above C, export. Prints the
files of each journey, written by hand and made by scripts; exit status 1 if a surface does not know
one. Takes a build: some minutes. Clusters are asked for the filter, too, if `clickhouse` is in PATH.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "long"))

from same_answers import Build, Server, start_clusters  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent

# By journey: file, where, and what is put before that text.
FILTER = [
    ("src/store/game_filter.hpp", "    /// The number of a source, its path",
     "    bool decided = false;  // one side won\n"),
    ("src/ask/filter.hpp", "    std::string mode = {};",
     "    std::string decided = {};  // \"yes\": one side won\n"),
    ("src/ask/filter_fields.cpp", "        {{{.name = \"mode\",",
     "        {{{.name = \"decided\", .value = \"YES\", .help = \"one side won\", .choices = {\"yes\"}},\n"
     "          [](GameFilter& filter, Text) { filter.decided = true; }},\n"
     "         &Filter::decided},\n"),
    ("src/store/sqlite/engine/game_conditions.cpp",
     "    if (filter.time_classes) out.push_back(one_of_list",
     "    if (filter.decided) {\n"
     "        out.push_back(one_of(kResult, {number(codec::Result::kWhiteWins),\n"
     "                                       number(codec::Result::kBlackWins)}));\n"
     "    }\n"),
    ("src/clickhouse/fact_conditions.cpp", "    if (filter.time_classes) add(sql_one_of(",
     "    if (filter.decided) {\n"
     "        add(sql_one_of(\"result\", std::vector{codec::Result::kWhiteWins,\n"
     "                                             codec::Result::kBlackWins}));\n"
     "    }\n"),
]
QUESTION = [
    ("src/ask/longest_games.cpp", None, """#include "ask/questions.hpp"

namespace fendex::ask {

QuestionKind longest_kind() {
    return {.name = "longest", .summary = "the longest games", .answer = "LongGame",
            .schemas = {{"LongGame", all_members({game_ref_members(), game_column_members(),
                                                  {{"plies", "integer"}}})}},
            .plan = [](const Given& given) {
                Given games = given;
                games.add("sort", "plies");
                return games_kind().plan(games);
            }};
}

}  // namespace fendex::ask
"""),
    ("src/ask/questions.hpp", "\ninline constexpr QuestionKind (*", "QuestionKind longest_kind();\n"),
    ("src/ask/questions.hpp", "find_kind,", "longest_kind, "),
    ("src/cli/verbs/list_verbs.cpp", "\n/// Prints the page of the games as PGN.",
     "constexpr ListVerb kLongest{\"longest\", List::kGames, \"game\", \"Lists the longest games.\",\n"
     "                            \"fendex longest my.db\"};\n"),
    ("src/cli/verbs/list_verbs.cpp", "Verb openings_verb() {",
     "Verb longest_verb() { return verb_of<kLongest>(); }\n"),
    ("src/cli/verbs/verbs.hpp", "Verb openings_verb();", "Verb longest_verb();\n"),
    ("src/cli/verbs/verbs.cpp", "openings_verb,", "longest_verb, "),
]
GAME_COLUMN = [
    ("src/emit/game_rows.cpp", "        {\"eco\", \"string?\",",
     "        {\"full_moves\", \"integer\", {},\n"
     "         [](Header game) { return Cell(std::int64_t{(game.plies + 1) / 2}); }},\n"),
]
PLY_COLUMN = [
    ("src/emit/ply_columns.hpp", "    kMaterial,", "    kMoveNumber,\n"),
    ("src/emit/ply_columns.hpp", "\"material\",", "\"move_number\", "),
    ("src/emit/ply_columns.hpp", "kPlyColumnCount = 37;", "kPlyColumnCount = 38;"),
    ("src/emit/ply_row_writer.cpp", "            case kMaterial: append_plain",
     "            case kMoveNumber: json::append_value((ply + 1) / 2, out); break;\n"),
]
GENERATED = ("src/serve/web/src/types.ts", "samples/python/fendex.py")


def run(*words, **more):
    done = subprocess.run([str(each) for each in words], capture_output=True, text=True, **more)
    if done.returncode not in (0, 1):
        sys.exit(f"{words}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def copy(folder):
    for name in run("git", "ls-files", cwd=ROOT).splitlines():
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def edit(folder, edits):
    for name, before, text in edits:
        path = folder / name
        if before is None:
            path.write_text(text, encoding="utf-8")
            continue
        whole = path.read_text(encoding="utf-8")
        if before not in whole:
            sys.exit(f"{name} has no '{before}' any more: this script needs another place")
        # The number of columns is replaced; everything else is added.
        changed = text if text.startswith("kPlyColumnCount") else text + before
        path.write_text(whole.replace(before, changed, 1), encoding="utf-8")
    return sorted({name for name, _, _ in edits})


class Asked:
    def __init__(self):
        self.failed = []

    def check(self, what, right):
        print(f"  {'knows it' if right else 'DOES NOT KNOW IT'}: {what}")
        if not right:
            self.failed.append(what)


def ask_all(folder, build):
    asked = Asked()
    fendex = build / "src" / "fendex"
    database = folder / "toy.db"
    run(fendex, "import", database, folder / "samples", "--quiet")
    decided = sorted(row["game_id"] for result in ("1-0", "0-1") for row in map(
        json.loads, run(fendex, "games", database, "--result", result, "--format", "json").splitlines()))
    rows = [json.loads(line) for line in run(
        fendex, "games", database, "--decided", "yes", "--format", "json").splitlines()]
    print("filter:")
    asked.check("games --decided", sorted(row["game_id"] for row in rows) == decided)
    for verb in ("find", "tree", "repeats", "players", "openings", "novelty", "prepare", "export"):
        asked.check(f"{verb} --help", "--decided" in run(fendex, verb, "--help"))
    asked.check("manual page", "decided" in run(fendex, "--generate", "man"))
    for shell in ("bash", "zsh", "fish"):
        asked.check(f"completion of {shell}", "decided" in run(fendex, "--generate", f"complete-{shell}"))

    server = Server(Build(build), folder, ["toy.db"])
    page = json.loads(server.get("/api/v1/games?decided=yes&limit=1000")[2])
    longest = json.loads(server.get("/api/v1/longest?limit=3")[2])["items"]
    described = json.loads(server.get("/api/openapi.json")[2])["components"]
    server.end()
    asked.check("HTTP", sorted(row["game_id"] for row in page["items"]) == decided)
    asked.check("OpenAPI", "decided" in described["parameters"])
    asked.check("HTTP's column", "full_moves" in page["items"][0])
    asked.check("OpenAPI's column", "full_moves" in described["schemas"]["GameRow"]["properties"])
    print("question:")
    lines = run(fendex, "longest", database, "--format", "json", "--limit", "3").splitlines()
    rows_of = [{name: value for name, value in row.items() if name != "ref"} for row in longest]
    asked.check("longest --format json", [row["plies"] for row in map(json.loads, lines)] == sorted(
        (json.loads(line)["plies"] for line in run(fendex, "games", database, "--format", "json").splitlines()),
        reverse=True)[:3])
    asked.check("HTTP", rows_of == [json.loads(line) for line in lines])
    asked.check("OpenAPI", "LongGame" in described["schemas"])
    asked.check("help and manual page", "longest" in run(fendex, "--help")
                and "longest" in run(fendex, "--generate", "man"))
    run(sys.executable, folder / "tests/serve/page_types.py", fendex, "--write")
    types = (folder / "src/serve/web/src/types.ts").read_text(encoding="utf-8")
    asked.check("the page's types", "decided" in types and "full_moves" in types)
    library = build / "src" / "libfendex.so"
    run(sys.executable, folder / "tests/fendex/python_methods.py", library, "--write")
    found = run(sys.executable, "-c", "import fendex, json, sys; print(json.dumps(list("
                "fendex.open(sys.argv[1]).longest(limit=3))))", database,
                env={**os.environ, "FENDEX_LIBRARY": str(library),
                     "PYTHONPATH": str(folder / "samples/python")})
    asked.check("Python and C", json.loads(found) == rows_of)
    print("filter and column:")
    found = run(sys.executable, "-c", "import fendex, sys; print(sorted(game['game_id'] for game in "
                "fendex.open(sys.argv[1]).games(decided='yes') if game['full_moves']))", database,
                env={**os.environ, "FENDEX_LIBRARY": str(library),
                     "PYTHONPATH": str(folder / "samples/python")})
    asked.check("Python and C, filter and column", json.loads(found) == decided)
    print("column of games:")
    asked.check("games --format json", "full_moves" in rows[0])
    asked.check("games --format csv", "full_moves" in run(
        fendex, "games", database, "--format", "csv").splitlines()[0])
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    asked.check("find", "full_moves" in run(fendex, "find", database, start, "--format", "json"))
    asked.check("repeats", "full_moves" in run(fendex, "repeats", database, "--format", "json"))
    asked.check("export --rows games", "full_moves" in run(
        fendex, "export", database, "--rows", "games", "--format", "csv").splitlines()[0])
    print("ply column:")
    rows = run(fendex, "export", database, "--rows", "plies", "--columns", "ply,move_number", "--format",
               "csv").splitlines()
    asked.check("export --columns move_number", rows[1:4] == ["0,0", "1,1", "2,1"])
    for url in start_clusters(Build(build), folder, ["toy.db"]):
        found = run(fendex, "games", url, "--decided", "yes", "--format", "json").splitlines()
        asked.check(f"a cluster, {url}", len(found) == len(decided))
    return asked.failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    options = parser.parse_args()
    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    copy(folder)
    journeys = {"filter": edit(folder, FILTER), "question": edit(folder, QUESTION), "column of games": edit(folder, GAME_COLUMN),
                "ply column": edit(folder, PLY_COLUMN)}
    build = folder / "build"
    run("bash", "-c", ". tests/setup.sh; build build all -DCMAKE_BUILD_TYPE=Release -DFENDEX_TESTS=OFF", cwd=folder)
    failed = ask_all(folder, build)
    for journey, files in journeys.items():
        print(f"{journey}: {len(files)} files by hand ({', '.join(files)}), beside its test and the manual")
    print(f"made by scripts: {', '.join(GENERATED)}")
    sys.exit(1 if failed else 0)


main()
