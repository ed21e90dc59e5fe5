#!/usr/bin/env bash
# prepare.sh DB PLAYER white|black: prepares for an opponent. Writes a page to print, and all games of
# the player with this colour to a PGN file. The name must be exact: `fendex players DB NAME` lists
# the names that fit.
#
#     samples/recipes/prepare.sh my.db "Carlsen,M" white
set -euo pipefail
if (($# != 3)) || [[ $3 != white && $3 != black ]]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 player=$2 colour=$3
name=${player//[^[:alnum:]]/_}-$colour

fendex prepare "$db" "$player" --color "$colour" -o "$name.html"
echo "$name.html: what to expect, where the results are worst, the latest games"
# The games, for a chess program.
fendex export "$db" "--$colour" "$player" --sort date -o "$name.pgn"
