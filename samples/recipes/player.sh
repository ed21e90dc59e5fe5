#!/usr/bin/env bash
# player.sh DB PLAYER [OPPONENT]: what a player has done: scores, ratings over time, openings since
# 2000; and, if an opponent is given, the score and the games of these two.
#
#     samples/recipes/player.sh my.db "Carlsen,M" aronian
set -euo pipefail
if (($# < 2 || $# > 3)); then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 player=$2

fendex players "$db" "$player" --limit 5
printf '\nOpenings since 2000\n'
fendex openings "$db" --player "$player" --since 2000 --limit 10
if (($# == 3)); then
    printf '\nAgainst %s\n' "$3"
    fendex players "$db" "$player" --against "$3" --limit 3
    fendex games "$db" --player "$player" --player "$3" --sort date
fi
