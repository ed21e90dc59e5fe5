#!/usr/bin/env bash
# Runs the tests: installs what is missing, builds Release with g++ into build/, calls ctest.
# Arguments go to ctest: tests/run.sh -R "pgn:" -V
# Slow tests use smaller sizes unless FENDEX_TEST_SIZE=full, as in continuous integration.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tests/setup.sh
. tests/setup.sh

install_missing "${build_packages[@]}" "${test_packages[@]}"
install_for_page
install_for_clickhouse
werror=OFF
[[ ${CI:-} != true ]] || werror=ON
wanted=all
# Tests that kill imports need a large archive.
[[ ${FENDEX_TEST_SIZE:-} != full ]] || wanted+=" fendex_generate"
CC=gcc CXX=g++ build build "$wanted" -DCMAKE_BUILD_TYPE=Release -DFENDEX_TESTS=ON -DFENDEX_WERROR=$werror

if (($#)); then
    ctest --test-dir build --output-on-failure --no-tests=error -j2 "$@"
else
    run_tests build
fi
