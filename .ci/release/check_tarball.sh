#!/usr/bin/env bash
# Runs the program of a tarball in a root directory with nothing but glibc, a shell and the tarball.
#     .ci/release/check_tarball.sh [TARBALL]    (the one in build-release if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh

tarball=${1:-$release_build/fendex-$version-linux-$machine.tar.gz}
place=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$place"' EXIT
# Has /proc, because the loader asks there where the program is. Needs no rights of root if the
# system lets users have a root of their own.
as_root=()
((EUID == 0)) || as_root=(--map-root-user)
# shellcheck disable=SC2016 # for the shell that mounts it
inside=(unshare --mount "${as_root[@]}" /bin/sh -c
    'mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"' "$place")
fendex=("${inside[@]}" /fendex/bin/fendex)

failed=0
# check NAME PATTERN STATUS COMMAND...: the output must match, and the status be this.
check() {
    local name=$1 pattern=$2 expected=$3 output status=0
    shift 3
    output=$("$@" 2>&1) || status=$?
    if ((status == expected)) && grep -qE -- "$pattern" <<<"$output"; then
        say "passed: $name"
    else
        say "FAILED: $name: status $status: $output"
        failed=1
    fi
}

(cd "$(dirname "$tarball")" && sha256sum --quiet -c "$(basename "$tarball").sha256")
mkdir -p "$place"/{bin,tmp,proc,fendex}
tar -xzf "$tarball" -C "$place/fendex" --strip-components=1
cp -L /bin/sh "$place/bin/sh"
cp tests/data/archives/games.zip "$place/tmp"
copy_glibc "$place"
loader=$(readelf -p .interp "$place/fendex/bin/fendex" | grep -o '/lib.*')
mkdir -p "$place/$(dirname "$loader")"
[[ -e $place/$loader ]] || cp -L "$loader" "$place/$loader"

cd "$place"
check "the shell" "^/$" 0 "${inside[@]}" /bin/sh -c pwd
check "version" "^fendex $version$" 0 "${fendex[@]}" --version
check "import" "113 games" 0 "${fendex[@]}" import /tmp/my.db /fendex/share/doc/fendex/samples
check "find" "Anderssen" 0 "${fendex[@]}" find /tmp/my.db --moves "1.e4 e5 2.f4 exf4 3.Bc4 Qh4+"
check "tree" "^3.Bb5" 0 "${fendex[@]}" tree /tmp/my.db --moves "1.e4 e5 2.Nf3 Nc6"
check "sql, rows of plies" "e4 +rnbqkbnr/pppppppp/8/8/4P3" 0 "${fendex[@]}" sql /tmp/my.db \
    "SELECT ply, san, fen FROM ply WHERE game_id = 1 LIMIT 3"
check "sql, the virtual table" "Anderssen" 0 "${fendex[@]}" sql /tmp/my.db \
    "SELECT white FROM games JOIN
     reached('r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23') ON game_id = id"
check "libarchive is not there" "needs? libarchive.so.13.*install the package libarchive13" 2 \
    "${fendex[@]}" import /tmp/my.db /tmp/games.zip
check "libcurl is loaded" "[Cc]onnect" 2 "${fendex[@]}" info clickhouses://127.0.0.1:1/x
for library in fendex.so libfendex.so; do
    check "$library finds its libraries" "libc.so.6" 0 \
        "${inside[@]}" "$loader" --list "/fendex/lib/$library"
done

if command -v sqlite3 >/dev/null; then
    check "sqlite3 loads the extension" "^56$" 0 sqlite3 "$place/tmp/my.db" \
        ".load $place/fendex/lib/fendex" "SELECT count(*) FROM
         reached('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -')"
fi

# The request comes from outside, without a program for it: bash can open a connection.
# shellcheck disable=SC2317 # called by check
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&3
    tr -d '\0' <&3
    exec 3>&-
}
touch "$place/tmp/serve.log"
"${fendex[@]}" serve /tmp/my.db --listen 127.0.0.1:0 >"$place/tmp/serve.log" &
server=$!
for ((i = 0; i < 100; ++i)); do
    port=$(sed -nE 's|.*http://127.0.0.1:([0-9]+)/|\1|p' "$place/tmp/serve.log")
    [[ -z $port ]] || break
    sleep 0.1
done
check "serve, the page" "<html" 0 ask /
check "serve, the API" '"openapi"' 0 ask /api/openapi.json
kill "$server"
wait "$server" || true
server=
exit "$failed"
