#!/usr/bin/env bash
# Makes fendex-VERSION-linux-MACHINE.tar.gz, which needs only glibc, and a file with its SHA-256.
# Prints the version of glibc.
#     .ci/release/tarball.sh [DIRECTORY]    (build-release if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh

build_release
out=${1:-$release_build}
name=fendex-$version-linux-$machine
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/$name
cmake --install "$release_build" --prefix "$prefix" --strip >/dev/null

# The program loads libcurl when it is to ask a cluster.
curl=$(g++ -print-file-name=libcurl.so.4)
binaries=("$prefix"/bin/fendex "$prefix"/lib/fendex.so "$prefix"/lib/libfendex.so)
carry "$prefix/lib/fendex" "${binaries[@]}" "$curl"
install -m 644 "$curl" "$prefix/lib/fendex/libcurl.so.4"
mapfile -t libraries < <(libraries_of "${binaries[@]}" "$curl")
mapfile -t packages < <(packages_of "$curl" "${libraries[@]}")
licences "$prefix/share/doc/fendex/licences" "${packages[@]}" "${library_packages[@]}" \
    "${program_packages[@]}"
glibc=$(glibc_of "${binaries[@]}" "$prefix"/lib/fendex/*)

mkdir -p "$out"
tar -C "$scratch" -c --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git log -1 --format=%ct)" "$name" | gzip -9n >"$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
say "$out/$name.tar.gz: $(stat -c %s "$out/$name.tar.gz") bytes; needs glibc $glibc"
