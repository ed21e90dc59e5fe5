#!/usr/bin/env bash
# Imports into disks that are too small (tmpfs of ten sizes): each must end with exit status 2 and a
# message that names the lack of space, keep what it has committed, and go on to the same database
# once there is room.
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
