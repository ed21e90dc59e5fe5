#!/usr/bin/env bash
# prepare.sh DB PLAYER white|black: prepares for an opponent. Prints what the player does with this
# colour, the latest games, and the games that the player lost; writes all games to a PGN file.
#
#     samples/recipes/prepare.sh my.db carlsen white
set -euo pipefail
if (($# != 3)) || [[ $3 != white && $3 != black ]]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 player=$2 colour=$3
games=("--$colour" "$player")
lost=0-1
[[ $colour == white ]] || lost=1-0

echo "Openings"
fendex tree "$db" "${games[@]}" --depth 6 --min-games 2 --no-transpositions
printf '\nLatest games\n'
fendex games "$db" "${games[@]}" --sort date --limit 10
printf '\nGames lost\n'
fendex games "$db" "${games[@]}" --sort date --result "$lost" || echo "none"

# The games, for a chess program.
fendex export "$db" "${games[@]}" --sort date -o "${player//[^[:alnum:]]/_}-$colour.pgn"
