#!/usr/bin/env bash
# tests/fuzz/minimise.sh BUILD NAME [FOLDER]...
# Copies from the folders, which hold what longer runs of a fuzzer found, the inputs that reach
# edges of code no seed reaches, to tests/fuzz/corpus/NAME/new-1, new-2, ... Then lists the seeds
# that reach no edge of their own. BUILD is a build directory with -DFENDEX_FUZZ=ON.
set -euo pipefail

if (($# < 2)); then
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
fi
program=$1/tests/fuzz/fuzz_$2
corpus=$(dirname "$0")/corpus/$2
mapfile -t seeds <"$1/tests/fuzz/$2.seeds"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# merge TO FROM...: adds to a folder the fewest inputs that reach all edges, named by their SHA-1.
merge() {
    "$program" -set_cover_merge=1 -use_counters=0 "$@" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; exit 1; }
}

mkdir "$scratch/known" "$scratch/needed"
cp -r "${seeds[@]/%//.}" "$scratch/known"
touch "$scratch/start"
if (($# > 2)); then merge "$scratch/known" "${@:3}"; fi
number=0
while read -r input; do
    cp -v "$input" "$corpus/new-$((++number))"
done < <(find "$scratch/known" -type f -newer "$scratch/start")

merge "$scratch/needed" "${seeds[@]}"
for seed in "$corpus"/*; do
    if [[ ! -e $scratch/needed/$(sha1sum <"$seed" | cut -d' ' -f1) ]]; then echo "not needed: $seed"; fi
done
