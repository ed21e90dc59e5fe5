#!/usr/bin/env bash
# Runs the tests: installs what is missing, builds Release with g++ into build/, calls ctest.
# Arguments go to ctest: tests/run.sh -R "pgn:" -V
# Slow tests use smaller sizes unless FENDEX_TEST_SIZE=full (see tests/support/test_size.hpp).
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tests/setup.sh
. tests/setup.sh

install_missing "${build_packages[@]}" "${test_packages[@]}"
install_for_page
install_for_clickhouse & # waits for the network while the processors compile
werror=OFF
[[ ${CI:-} != true ]] || werror=ON
wanted=all
configuration=()
if [[ ${FENDEX_TEST_SIZE:-} == full ]]; then
    wanted+=" fendex_generate" # makes a large archive
    configuration=(-C full)
fi
CC=gcc CXX=g++ build build "$wanted" -DCMAKE_BUILD_TYPE=Release -DFENDEX_TESTS=ON -DFENDEX_WERROR=$werror

wait
if (($#)); then
    ctest --test-dir build --output-on-failure --no-tests=error -j2 "${configuration[@]}" "$@"
else
    run_tests build "${configuration[@]}"
fi
