#!/usr/bin/env bash
# From a fresh clone to the first answers: installs what is missing (Debian packages), builds
# fendex, imports the games of samples/ into a fresh database and asks it some questions. In a
# terminal it ends as the server of that database, with a page for browsers.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tests/setup.sh
. tests/setup.sh

install_missing "${build_packages[@]}"
install_for_page
options=(-DCMAKE_BUILD_TYPE=Release)
# Turns the tests off, because they need more packages, unless they have been configured already.
[[ -e build/CMakeCache.txt ]] || options+=(-DFENDEX_TESTS=OFF)
CC=gcc CXX=g++ build build fendex "${options[@]}"

db=build/demo.db
rm -f "$db" "$db"-wal "$db"-shm "$db"-journal

# Prints a command in the form in which it would be typed, then runs it.
fendex() {
    local shown='' word
    for word in "$@"; do
        if [[ $word =~ ^[A-Za-z0-9_./=-]+$ ]]; then
            shown+=" $word"
        else
            shown+=" \"$word\""
        fi
    done
    printf '\n$ build/src/fendex%s\n' "$shown"
    build/src/fendex "$@"
}

fendex import "$db" samples/*.pgn samples/*.pgn.zst

printf '\nWhich games reached the last position of the immortal game?\n'
fendex find "$db" "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23"
fendex show "$db" 1 --board --ply 45

printf '\nWhich games came to the Ruy Lopez, by whatever order of moves?\n'
fendex find "$db" --moves "1.e4 e5 2.Nf3 Nc6 3.Bb5" --limit 10

printf '\nWhat was played there, and how did it go?\n'
fendex tree "$db" --play "1.e4 e5 2.Nf3 Nc6 3.Bb5"

printf '\nThe first moves of all games, pruned.\n'
fendex tree "$db" --depth 3 --min-games 8

printf '\nWho repeated a position five times?\n'
fendex repeats "$db" --min 5

printf '\nThe games of one player as PGN; the positions that most games reached, with counts.\n'
fendex export "$db" --player karpov -o build/karpov.pgn
fendex export "$db" --format epd --min-games 30

printf '\nAnything else: in SQL, with a row for every ply, stored or not.\n'
fendex sql "$db" "SELECT g.white, g.black, p.ply, p.san FROM ply p JOIN games g ON g.id = p.game_id WHERE p.san LIKE '%=N%' OR p.san LIKE '%=B%'"

printf '\nWhat is in the database, and what does it cost?\n'
fendex info "$db"

printf '\nThe same on a board, in a browser. Ctrl-C ends the server.\n'
if [[ -t 0 && -t 1 ]]; then
    fendex serve "$db"
else
    printf '\n$ build/src/fendex serve %s\n' "$db"
fi
