#!/usr/bin/env bash
# lichess-month.sh DB URL|FILE: imports a month of database.lichess.org without storing the archive.
# If it is interrupted, run it again: it recognises what has been imported and continues.
#
#     samples/recipes/lichess-month.sh lichess.db \
#         https://database.lichess.org/standard/lichess_db_standard_rated_2013-01.pgn.zst
#
# The first months have 100,000 games, later ones 100 million. Plan for six bytes a ply.
set -euo pipefail
if (($# != 2)); then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 archive=$2

# Stores no row for every ply, which would take thirty times the space; fendex sql has the rows
# anyway.
options=(--ply-rows no)
if [[ $archive == *://* ]]; then
    curl --fail --silent --show-error --location "$archive" | fendex import "$db" - "${options[@]}"
else
    fendex import "$db" "$archive" "${options[@]}"
fi

echo "Blitz between players rated 1800 and more: the first moves"
fendex tree "$db" --time-control blitz --min-elo 1800
