#!/usr/bin/env bash
# Makes fendex-VERSION-py3-none-manylinux_GLIBC_MACHINE.whl: the module for Python with the library.
# GLIBC is the version that it needs.
#     .ci/release/wheel.sh [DIRECTORY]    (build-release if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh
of_system=$of_wheel_systems

build_release
out=${1:-$release_build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$release_build" --prefix "$scratch/installed" --strip >/dev/null

package=$scratch/wheel/fendex
mkdir -p "$out" "$package"
cp samples/python/fendex.py "$package/__init__.py"
: >"$package/py.typed" # type checkers read the hints
library=$package/libfendex.so.${version%%.*}
cp "$scratch/installed/lib/libfendex.so" "$library"
carry "$package" "$library"
glibc=$(glibc_of "$package"/*.so*)

mapfile -t libraries < <(libraries_of "$library")
mapfile -t packages < <(packages_of "${libraries[@]}")
texts=$scratch/wheel/fendex-$version.dist-info/licenses
licences "$texts" "${packages[@]}" "${library_packages[@]}"
cp LICENSE "$texts"

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) python3 .ci/release/wheel.py "$scratch/wheel" "$out" \
    "$version" "py3-none-manylinux_${glibc/./_}_$machine"
