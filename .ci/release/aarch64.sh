#!/usr/bin/env bash
# Compiles for 64-bit ARM on another machine, with Debian's cross-compiler, and runs the tests of
# layers that deal with bits and bytes in qemu. Continuous integration does not run it.
#     .ci/release/aarch64.sh [LAYER...]    (base chess pgn codec store if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/setup.sh
. tests/setup.sh

layers=(base chess pgn codec store)
((!$#)) || layers=("$@")
into=build-aarch64
target=aarch64-linux-gnu
arm=$PWD/$into/root
install_missing "${build_packages[@]}" "g++-$target" qemu-user

# Unpacks Debian's packages for ARM into a folder: if they were installed, some would replace those
# of this machine. apt gets a state of its own, with no packages of this machine.
unpack_packages() {
    local state=$PWD/$into/apt package link
    mkdir -p "$state"/{lists,archives}/partial "$arm"
    local apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o APT::Sandbox::User= -o Dir::State="$state" -o Dir::State::status=/dev/null
        -o Dir::Cache="$state")
    "${apt[@]}" update
    (cd "$state/archives" && "${apt[@]}" download libsqlite3-dev libzstd-dev libzstd1 zlib1g-dev \
        libbz2-dev libbz2-1.0 libutf8proc-dev libroaring-dev libroaring0 libsimdjson-dev libsimdjson14 libxxhash-dev \
        libfmt-dev libfmt9 nlohmann-json3-dev libboost1.74-dev libboost-program-options1.74-dev \
        libcurl4-openssl-dev libcurl4 catch2 libarchive-dev libarchive13 libacl1 liblz4-1 liblzma5 \
        libnettle8 libxml2 libicu72 zlib1g)
    for package in "$state"/archives/*.deb; do dpkg-deb -x "$package" "$arm"; done
    # Links to /lib mean the folder's.
    find "$arm/usr/lib/$target" -lname '/*' | while read -r link; do
        ln -sfn "$arm$(readlink "$link")" "$link"
    done
    touch "$arm/complete"
}

mkdir -p "$into"
if [[ ! -e $arm/complete ]]; then
    say "Unpacking packages for ARM"
    unpack_packages >"$into/packages.log" 2>&1 || { cat "$into/packages.log" >&2; exit 1; }
fi

# -O1: most of the time goes into compiling.
export PKG_CONFIG_LIBDIR=$arm/usr/lib/$target/pkgconfig:$arm/usr/share/pkgconfig
export PKG_CONFIG_SYSROOT_DIR=$arm
CC=$target-gcc CXX=$target-g++ build "$into" "${layers[*]/#/test_}" \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_FIND_ROOT_PATH="$arm" \
    -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
    -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
    -DCMAKE_EXE_LINKER_FLAGS="-L$arm/usr/lib/$target" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DFENDEX_ARCH=baseline -DFENDEX_STATIC_DEPS=ON \
    -DFENDEX_PAGE=OFF

status=0
for layer in "${layers[@]}"; do
    say "Tests of $layer:"
    qemu-aarch64 -L "/usr/$target" -E LD_LIBRARY_PATH="$arm/usr/lib/$target:$arm/lib/$target" \
        "$into/tests/test_$layer" || status=1
done
exit "$status"
