#!/usr/bin/env bash
# claims.sh DB [PLAYER]: draws that could have been claimed. Prints totals, then games in which the
# player who could have claimed played on and lost, and games that should have ended. Games of any
# year are judged by the rules of today: before July 2014 no rule ended them without a claim.
#
#     samples/recipes/claims.sh my.db
#     samples/recipes/claims.sh my.db levenfish
set -euo pipefail
if (($# < 1 || $# > 2)); then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1
filters=()
(($# < 2)) || filters=(--player "$2")

# list TITLE OPTION...: prints what repeats finds with these options.
list() {
    local status=0
    printf '\n%s\n' "$1"
    fendex repeats "$db" "${filters[@]}" "${@:2}" || status=$?
    case $status in
    0) ;;
    1) echo "none" ;;
    *) exit "$status" ;;
    esac
}

fendex repeats "$db" "${filters[@]}" --summary
list "A claim was missed, and the game lost: threefold repetition" --missed
list "A claim was missed, and the game lost: fifty moves" --missed --rule50
list "Five times: by the rules since July 2014 the game ends (FIDE 9.6.1)" --fivefold
list "Seventy-five moves: by the rules since July 2014 the game ends (FIDE 9.6.2)" --rule75
