#!/usr/bin/env python3
"""plies.py DB EXTENSION: every ply as a table in pandas, or in plain Python if pandas is missing.

    samples/recipes/plies.py my.db build/src/fendex.so

The extension is installed as fendex.so beside the library. Reading FENs of 100 games takes
milliseconds, of a million games minutes: let SQL select and count, and fetch the result.
"""
import sqlite3
import sys

try:
    import pandas
except ImportError:
    pandas = None

QUESTIONS = {
    "Most played first moves, and what they scored":
        "SELECT san, games, round(white * 100.0 / games) AS white_percent"
        " FROM tree('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1') LIMIT 5",
    "After how many plies did the queens leave the board?":
        "SELECT last + 1 AS queens_gone, count(*) AS games FROM"
        " (SELECT game_id, max(ply) AS last FROM ply WHERE fen GLOB '*[Qq]* [wb] *' GROUP BY game_id)"
        " JOIN games ON id = game_id WHERE last < plies GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5",
}


def fetch(db, sql):
    if pandas:
        return pandas.read_sql(sql, db).to_string(index=False)
    cursor = db.execute(sql)
    rows = [[column[0] for column in cursor.description], *cursor]
    return "\n".join("\t".join(map(str, row)) for row in rows)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    if not hasattr(db, "enable_load_extension"):
        sys.exit("The sqlite3 of this Python cannot load extensions; Debian's /usr/bin/python3 can.")
    db.enable_load_extension(True)
    db.load_extension(sys.argv[2])
    for title, sql in QUESTIONS.items():
        print(title, fetch(db, sql), sep="\n", end="\n\n")


main()
