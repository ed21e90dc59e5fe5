#!/usr/bin/env bash
# novelty.sh DB PGN [GAMES]: what is new in games that were just played. Lists moves that were new
# in positions that so many games of the database had reached (10 unless given), most games first,
# and writes all games, each with its novelty as a comment, to a PGN file. Needs jq.
#
#     samples/recipes/novelty.sh my.db samples/marx-gyorgy-2006.pgn 2
set -euo pipefail
if (($# < 2 || $# > 3)); then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 pgn=$2 games=${3-10}

# novelties OPTION...: it is no error if no game has a known position (status 1).
novelties() {
    local status=0
    fendex novelty "$db" "$pgn" "$@" || status=$?
    ((status < 2)) || exit "$status"
}

novelties --format json |
    jq -rs --argjson games "$games" '
        map(select(.novelty and .games >= $games)) | sort_by(-.games)[] |
        "\(.games) games: \(.white) - \(.black): \(.novelty.san) instead of " +
        ([.played[] | "\(.san) (\(.games))"] | join(", "))'

name=$(basename "$pgn")
novelties --annotate >"${name%%.*}-annotated.pgn"
