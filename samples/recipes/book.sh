#!/usr/bin/env bash
# book.sh DB ENGINE [GAMES [PLY]]: a book with evaluations. Asks the engine about the positions that at
# least so many games (10) reached up to this ply (20). Writes book.bin, a Polyglot book of the moves
# played, and book.epd, the positions with scores. If it is interrupted, the same command goes on.
#
#     samples/recipes/book.sh my.db stockfish 3
set -euo pipefail
if (($# < 2 || $# > 4)); then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 engine=$2
positions=(--min-games "${3:-10}" --max-ply "${4:-20}")

fendex evaluate "$db" --engine "$engine" "${positions[@]}"
fendex export "$db" "${positions[@]}" -o book.bin
fendex export "$db" --evals epd -o book.epd
# The first moves: how they scored, and what the engine says of the position after each.
fendex tree "$db"
