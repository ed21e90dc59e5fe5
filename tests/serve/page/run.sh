#!/usr/bin/env bash
# run.sh FENDEX BUILD_DIRECTORY: tests the page of that program in Chromium. What npm installs, and
# the screenshots, go into the build directory.
set -euo pipefail
fendex=$1
build=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

chromium=$(command -v chromium || command -v chromium-browser) || skip "chromium is not installed"
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    skip "npm is not installed"
fi
[[ -d $build/page/out ]] || skip "the page in a browser: this build has no page"

work=$build/page-tests
rm -rf "$build/screenshots"
mkdir -p "$work"
cp "$here"/*.mjs "$here"/*.jsonl "$here"/package.json "$here"/package-lock.json "$work"
cd "$work"
if ! cmp -s package-lock.json installed; then
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund >npm.log 2>&1 ||
        skip "the page in a browser: npm could not fetch what it needs ($work/npm.log)"
    cp package-lock.json installed
fi

node_modules/.bin/tsc --project "$build/page/web" --noEmit
# Of many tests, only those that fail are shown.
FENDEX=$fendex SAMPLES=$here/../../../samples CHROMIUM=$chromium SCREENSHOTS=$build/screenshots \
    node --test --test-reporter=spec ./*_test.mjs >tests.log 2>&1 || {
    grep -q 'failing tests:' tests.log || cat tests.log
    sed -n '/failing tests:/,$p' tests.log
    exit 1
}
