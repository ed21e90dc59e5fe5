#!/usr/bin/env bash
# Builds the program without clusters, without the server, and without both, and checks what each
# build says of what it does not have. The library is compiled once, for releases as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh

install_missing "${build_packages[@]}"
failed=0
fail() {
    say "FAILED: cluster $cluster, server $server: $*"
    failed=1
}

# refused PATTERN ARGUMENT...: the status must be 2, and the message match.
refused() {
    local pattern=$1 output status=0
    shift
    output=$("$release_build"/src/fendex "$@" 2>&1) || status=$?
    if ((status != 2)) || ! grep -qE "$pattern" <<<"$output"; then
        fail "$*: status $status: $output"
    fi
}

# lists WORD PRESENT: the help has the verb if PRESENT is ON, and not if it is OFF.
lists() {
    local found=OFF
    ! "$release_build"/src/fendex --help | grep -q "^  fendex $1 " || found=ON
    [[ $found == "$2" ]] || fail "the help has $1: $found"
}

for options in "OFF OFF" "OFF ON" "ON OFF"; do
    read -r cluster server <<<"$options"
    features=(-DFENDEX_CLUSTER="$cluster" -DFENDEX_SERVER="$server")
    CC=gcc CXX=g++ build "$release_build" fendex "${release_options[@]}" "${features[@]}"
    lists push "$cluster"
    lists serve "$server"
    if [[ $cluster == OFF ]]; then
        refused "does not have 'push'.*FENDEX_CLUSTER" push my.db clickhouse://127.0.0.1:1/x --check
        refused "cannot query clusters.*FENDEX_CLUSTER" info clickhouse://127.0.0.1:1/x
        ! grep -q libcurl "$release_build"/src/fendex || fail "it names libcurl"
    else
        refused "[Cc]onnect" info clickhouse://127.0.0.1:1/x
    fi
    if [[ $server == OFF ]]; then
        refused "does not have 'serve'.*FENDEX_SERVER" serve my.db --listen 9002
    fi
    output=$(cmake -S . -B "$release_build" -DFENDEX_TESTS=ON "${features[@]}" 2>&1) &&
        fail "the tests are built, but cannot be"
    grep -q "need FENDEX_TESTS=OFF" <<<"$output" || fail "CMake says: $output"
done
cmake -S . -B "$release_build" -DFENDEX_TESTS=OFF -DFENDEX_CLUSTER=ON -DFENDEX_SERVER=ON >/dev/null
((failed)) || say "passed: builds without clusters and without the server"
exit "$failed"
