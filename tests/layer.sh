#!/usr/bin/env bash
# For development: builds the tests of one layer, file by file, and runs them.
#     tests/layer.sh chess                 all tests of src/chess, two at a time
#     tests/layer.sh pgn "A lone*" -d yes  some of them: arguments go to the test program
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tests/setup.sh
. tests/setup.sh

if (($# == 0)) || [[ ! -d tests/$1 ]]; then
    say "Usage: tests/layer.sh LAYER [TEST...], where LAYER is a folder of src/ that has tests"
    exit 2
fi
layer=$1
shift
[[ $layer != clickhouse ]] || install_for_clickhouse
CC=gcc CXX=g++ build build-dev "test_$layer" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DFENDEX_UNITY=OFF
if (($#)); then
    exec "build-dev/tests/test_$layer" "$@"
fi
run_tests build-dev -R "^$layer:"
