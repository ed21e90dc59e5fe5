#!/usr/bin/env bash
# Imports into disks that are too small (tmpfs of ten sizes): each must end with exit status 2 and a
# message that names the lack of space, keep what it has committed, and go on to the same database
# once there is room. Deletes games that it saves, with too little room for the file or for the log of
# the database: no game is lost.
#
#     tests/long/full_disk.sh [FENDEX [ARCHIVE [RUNS]]]
#
# It mounts file systems, so it needs root; exit status 77 if it cannot. Prints one line of totals.
set -euo pipefail
fendex=$(realpath "${1:-build/src/fendex}")
archive=$(realpath "${2:-../shared/corpus/human.pgn.zst}")
runs=${3:-10}

scratch=$(mktemp -d)
disk=$scratch/disk
mkdir "$disk"
cleanup() {
    umount "$disk" 2>/dev/null || true
    rm -rf "$scratch"
}
trap cleanup EXIT
if ! mount -t tmpfs -o size=1m tmpfs "$disk" 2>/dev/null; then
    echo "cannot mount a tmpfs here" >&2
    exit 77
fi
umount "$disk"

fail() {
    echo "disk of $kib KiB: $*" >&2
    exit 1
}
# The members of `info` that must be the same in the end.
essence() {
    "$fendex" info "$1" --format json | tr ',{' '\n\n' |
        grep -E '^"(games|plies|positions|errors|fingerprint|ply_rows)"'
}
games() { "$fendex" info "$1" --format json | sed -E 's/.*"games":([0-9]+).*/\1/'; }
import() { "$fendex" import "$1" "$archive" --ply-rows no --memory 64M --threads 2; }

import "$scratch/reference.db" 2>/dev/null
wanted=$(essence "$scratch/reference.db")
whole=$(($(stat -c %s "$scratch/reference.db") / 1024))

full=0
kept=0
for ((run = 1; run <= runs; ++run)); do
    # Sizes from almost nothing to just too small.
    kib=$((64 + (whole - 64) * (2 * run - 1) / (2 * runs)))
    mount -t tmpfs -o "size=${kib}k" tmpfs "$disk"
    status=0
    import "$disk/my.db" 2>"$scratch/error" || status=$?
    if ((status != 2)); then fail "exit status $status: $(cat "$scratch/error")"; fi
    grep -qiE 'full|no space' "$scratch/error" || fail "$(cat "$scratch/error")"
    full=$((full + 1))
    mount -o remount,size=4g "$disk"
    if "$fendex" info "$disk/my.db" >/dev/null 2>&1; then
        "$fendex" check "$disk/my.db" >"$scratch/check" 2>&1 || fail "check: $(cat "$scratch/check")"
        if (($(games "$disk/my.db") > 0)); then kept=$((kept + 1)); fi
    fi
    import "$disk/my.db" 2>"$scratch/error" || fail "once there is room: $(cat "$scratch/error")"
    [[ $(essence "$disk/my.db") == "$wanted" ]] || fail "another database in the end"
    "$fendex" check "$disk/my.db" >"$scratch/check" 2>&1 || fail "check: $(cat "$scratch/check")"
    umount "$disk"
done
echo "$full full disks, $kept kept games committed before, all went on to the same database"

# Deletes a third of the games of $1 and saves them in $2; must fail and delete nothing.
delete_in_vain() {
    local status=0 before
    before=$(essence "$1")
    "$fendex" delete "$1" --games "1-$third" --save "$2" 2>"$scratch/error" || status=$?
    if ((status != 2)); then fail "delete: exit status $status: $(cat "$scratch/error")"; fi
    grep -qiE 'full|no space' "$scratch/error" || fail "delete: $(cat "$scratch/error")"
    [[ $(essence "$1") == "$before" ]] || fail "delete has changed the database"
    "$fendex" check "$1" >"$scratch/check" 2>&1 || fail "check: $(cat "$scratch/check")"
}
third=$(($(games "$scratch/reference.db") / 3))
kib=64
mount -t tmpfs -o "size=${kib}k" tmpfs "$disk"
delete_in_vain "$scratch/reference.db" "$disk/saved.pgn"
[[ ! -e $disk/saved.pgn ]] || fail "a part of the saved games is left"
umount "$disk"
kib=$((whole + 256))  # the log of the deletion needs more
mount -t tmpfs -o "size=${kib}k" tmpfs "$disk"
cp "$scratch/reference.db" "$disk/my.db"
delete_in_vain "$disk/my.db" "$scratch/saved.pgn"
grep -c '^\[Event ' "$scratch/saved.pgn" | grep -qx "$third" || fail "the saved games are not complete"
echo "delete --save: no game lost when the file or the database had no room"
