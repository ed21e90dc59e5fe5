#!/usr/bin/env python3
"""Prints where the bytes of databases go (schema/FORMAT.md, "Where the bytes go").

    tests/bench/bytes_per_ply.py DB...

Tables are measured whole, the contents of blocks and games in a sample. Python's SQLite must have
the virtual table dbstat, as Debian's does. The databases are only read.
"""
import argparse
import collections
import sqlite3


def bits_for(n):
    return 0 if n <= 1 else (n - 1).bit_length()


class Bits:
    """A bit stream (schema/FORMAT.md); counts what is read under the current `kind`."""

    def __init__(self, data, sizes):
        self.value = int.from_bytes(data, "little") | 1 << 8 * len(data)
        self.left = 8 * len(data)
        self.sizes = sizes
        self.kind = ""

    def get(self, n):
        out = self.value & ((1 << n) - 1)
        self.value >>= n
        self.left -= n
        self.sizes[self.kind] += n
        return out

    def unary(self):
        zeros = (self.value & -self.value).bit_length() - 1
        self.get(zeros + 1)
        return zeros

    def rice(self, k):
        high = self.unary()
        return high << k | self.get(k)

    def golomb(self, k):
        length = self.unary()
        return (1 << length | self.get(length)) - 1 << k | self.get(k)

    def uniform(self, n):
        bits = bits_for(n)
        if bits == 0:
            return 0
        short_codes = (1 << bits) - n
        value = self.get(bits - 1)
        return value if value < short_codes else (value << 1 | self.get(1)) - short_codes

    def move(self):
        if self.get(1) == 1 and self.get(4) == 15:
            return
        self.get(12)


def read_run(bits, games, key_bits):
    bits.kind = "blocks: directories and heads of runs"
    entries = bits.get(16)
    gap_bits = bits.get(6)
    for i in range(entries):
        # Whose key it is shows in the bit after the gap.
        bits.kind = "gap"
        if i != 0:
            bits.rice(gap_bits)
        is_singleton = bits.get(1) == 0
        kind = "singletons" if is_singleton else "other positions"
        bits.sizes[f"blocks: keys of {kind}"] += bits.sizes.pop("gap")
        if is_singleton:
            bits.kind = "blocks: games of singletons"
            bits.uniform(games)
            continue
        bits.kind = "blocks: keys of other positions"
        bits.get(64 - key_bits)
        if bits.get(1) == 1:
            continue
        bits.kind = "blocks: counts"
        count = bits.golomb(0) + 2
        groups = bits.golomb(0) + 1
        bits.kind = "blocks: plies"
        bits.golomb(5)
        k = max(0, bits_for(games) - bits_for(count) - 1)
        done = 0
        for group in range(groups):
            bits.kind = "blocks: next moves"
            bits.move()
            bits.kind = "blocks: counts"
            size = count - done if group + 1 == groups else bits.golomb(0) + 1
            for j in range(size):
                bits.kind = "blocks: games of other positions"
                if j == 0:
                    bits.uniform(games)
                else:
                    bits.golomb(k)
                bits.kind = "blocks: plies"
                bits.golomb(0)
            done += size
    bits.kind = "blocks: directories and heads of runs"
    bits.get(bits.left)


def block_contents(db, version, sample):
    """Bytes of what is in the rows of table `block`, without the headers of rows."""
    out = collections.Counter()
    for name, size in db.execute(
        "SELECT min(part, 2), sum(length(data)) FROM block WHERE part > 0 GROUP BY 1"
    ):
        out["big positions: summaries" if name == 1 else "big positions: postings"] = size
    segments = {
        row[0]: row[1:]
        for row in db.execute("SELECT id, last_game - first_game + 1, key_bits FROM segment")
    }
    head, entry = (8, 12) if version >= 5 else (2, 8)
    bits = collections.Counter()
    all_bytes = 0
    for n, (row, size) in enumerate(
        db.execute("SELECT id, length(data) FROM block WHERE part = 0 ORDER BY id")
    ):
        all_bytes += size
        if n % sample != 0:
            continue
        segment, data = db.execute("SELECT segment, data FROM block WHERE id = ?", [row]).fetchone()
        if segment not in segments:
            continue
        runs = int.from_bytes(data[:2], "little")
        content = data[head + runs * entry :]
        bits["blocks: directories and heads of runs"] += 8 * (head + runs * entry)
        at = [head + i * entry + 6 for i in range(runs)]
        offsets = [int.from_bytes(data[i : i + 2], "little") for i in at] + [len(content)]
        for begin, end in zip(offsets, offsets[1:]):
            read_run(Bits(content[begin:end], bits), *segments[segment])
    read = sum(bits.values())
    for name, size in bits.items():
        out[name] = size * all_bytes / read
    return out


def stored_size(value):
    """Bytes that SQLite takes for a value, without those of the row's header."""
    if value is None or value in (0, 1):
        return 0
    if isinstance(value, int):
        size = (value if value >= 0 else ~value).bit_length() // 8 + 1
        return size if size <= 4 else 6 if size <= 6 else 8
    if isinstance(value, float):
        return 8
    return len(value.encode()) if isinstance(value, str) else len(value)


def game_contents(db, payload, sample):
    cursor = db.execute("SELECT * FROM game WHERE id % ? = 0", [sample])
    columns = [each[0] for each in cursor.description]
    group = {
        "id": None,
        "moves": "games: moves",
        "tags": "games: tags packed",
        "tags_sum": "games: checksums",
        "moves_sum": "games: checksums",
        "opening": "games: opening",
    }
    sizes = collections.Counter()
    rows = 0
    for row in cursor:
        rows += 1
        for name, value in zip(columns, row):
            kind = group.get(name, "games: tags in columns")
            if kind:
                sizes[kind] += stored_size(value)
    games = db.execute("SELECT count(*) FROM game").fetchone()[0]
    out = {kind: size * games / max(1, rows) for kind, size in sizes.items()}
    out["games: headers of rows"] = payload - sum(out.values())
    return out


def measure(path, sample):
    """Returns games, plies, and the bytes of each kind of content."""
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    meta = dict(db.execute("SELECT name, value FROM meta"))
    free = db.execute("PRAGMA freelist_count").fetchone()[0]
    rows = collections.Counter({"pages: free": free * 16384})
    for name, size, unused, payload in db.execute(
        "SELECT name, sum(pgsize), sum(unused), sum(payload) FROM dbstat GROUP BY 1"
    ):
        rows["pages: unused bytes"] += unused
        rows["pages: headers of pages and cells"] += size - unused - payload
        table = name.removeprefix("sqlite_autoindex_").removesuffix("_1")
        if name == "block":
            contents = block_contents(db, version, sample)
            rows.update(contents)
            rows["blocks: headers of rows"] = payload - sum(contents.values())
        elif name == "block_key":
            rows["blocks: index of rows"] = payload
        elif name == "game":
            rows.update(game_contents(db, payload, sample))
        elif table in ("player", "event", "site", "tag_value", "tag_shape", "opening"):
            rows["names, with their indexes"] += payload
        else:
            rows[f"table {name}"] += payload
    return meta["games"], meta["plies"], rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, default=100, help="read every Nth block and game")
    parser.add_argument("databases", metavar="DB", nargs="+")
    args = parser.parse_args()
    measured = [measure(path, args.sample) for path in args.databases]

    def line(name, values):
        print("|", " | ".join([name, *values]), "|")

    line("bytes per ply", [f"{games:,} games, {plies:,} plies" for games, plies, _ in measured])
    line("---", ["---:" for _ in measured])
    shares = {
        name: [rows[name] / plies for _, plies, rows in measured]
        for name in set().union(*(rows for _, _, rows in measured))
    }
    for name, values in sorted(shares.items(), key=lambda row: -sum(row[1])):
        if max(values) >= 0.0005:
            line(name, [f"{value:.3f}" for value in values])
    line("**together**", [f"**{sum(rows.values()) / plies:.3f}**" for _, plies, rows in measured])


if __name__ == "__main__":
    main()
