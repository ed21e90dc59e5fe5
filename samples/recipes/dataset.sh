#!/usr/bin/env bash
# dataset.sh DB DIRECTORY: makes a training set and a test set for a model. Each row is a position,
# the move that was played from it, and the result. Games are split, and no position of test.csv.gz
# is in train.csv.gz. Filters of `fendex games` may follow.
#
#     samples/recipes/dataset.sh my.db dataset --min-elo 2400
#
# One line loads a file, and *.jsonl.gz in the same way:
#
#   pandas      df = pandas.read_csv("dataset/train.csv.gz")
#   pandas      df = pandas.read_json("dataset/train.jsonl.gz", lines=True)
#   polars      df = polars.read_csv("dataset/train.csv.gz", infer_schema_length=None)
#   DuckDB      SELECT * FROM read_csv('dataset/train.csv.gz', sample_size = -1)
#   ClickHouse  SELECT * FROM file('dataset/train.csv.gz', CSVWithNames)
set -euo pipefail
if (($# < 2)); then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 directory=$2
shift 2
mkdir -p "$directory"

# `fendex export --help` lists the columns. clock and eval need an import with --annotations.
columns=game_id,ply,fen,next_uci,result,white_elo,black_elo,time_class,opening,material,clock,eval
for ending in csv.gz jsonl.gz; do
    fendex export "$db" --rows plies --columns "$columns" "$@" --sample 100000 --sample-of positions \
        --split 0.9 --split-distinct --seed 1 \
        -o "$directory/train.$ending" --test "$directory/test.$ending"
done
