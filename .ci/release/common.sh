# shellcheck shell=bash
# What the scripts in this folder share: the build for other systems, the libraries that it carries,
# the version of glibc that it needs. They source it from the top folder.

# shellcheck source=tests/setup.sh
. tests/setup.sh

# Continuous integration sets these two, to try how a release is packed with what it has compiled.
release_build=${FENDEX_RELEASE_BUILD:-build-release}
# shellcheck disable=SC2034 # for the scripts that source this
version=$(sed -nE 's/^#define FENDEX_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' \
    src/fendex/version.h | paste -sd.)
# shellcheck disable=SC2034
machine=$(uname -m)

# Debian 12, on which releases are made, has this glibc. What needs a later one was made elsewhere.
readonly latest_glibc=2.36

# Libraries of glibc, which every system has. Systems that take wheels have GCC's, too (PEP 600): one
# that is carried would be used by all modules of the process, and could be too old for others.
readonly of_glibc='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl))\.so'
# shellcheck disable=SC2034 # for the scripts of the wheel
readonly of_wheel_systems="$of_glibc|^lib(stdc\+\+|gcc_s)\.so"
of_system=$of_glibc

release_options=(-DCMAKE_BUILD_TYPE=Release -DFENDEX_TESTS=OFF
    -DFENDEX_ARCH="${FENDEX_RELEASE_ARCH:-baseline}" -DFENDEX_STATIC_DEPS=ON
    -DCMAKE_INSTALL_LIBDIR=lib)

# Builds for any processor of this kind, with static libraries where Debian has some. Sets
# library_packages, the packages of static libraries and headers that are part of the library, and
# program_packages, those that are part of the program besides.
build_release() {
    install_missing "${build_packages[@]}"
    install_for_page
    CC=gcc CXX=g++ build "$release_build" all "${release_options[@]}" -DFENDEX_PAGE=ON
    # shellcheck disable=SC2034
    library_packages=(libsqlite3-dev zlib1g-dev libutf8proc-dev nlohmann-json3-dev libxxhash-dev
        "libstdc++-$(g++ -dumpversion)-dev")
    # shellcheck disable=SC2034
    program_packages=(libfmt-dev
        "$(dpkg-query -W -f='${Depends}' libboost-program-options-dev | sed 's/ .*//')")
}

# Prints the shared libraries, other than those of the system, that programs and libraries need.
libraries_of() {
    local name path
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r path; do
        name=${path##*/}
        [[ $name =~ $of_system ]] || printf '%s\n' "$path"
    done
}

# carry DIRECTORY FILE...: copies the libraries that the files need to the directory.
carry() {
    local to=$1 path
    shift
    mkdir -p "$to"
    libraries_of "$@" | while read -r path; do
        install -m 644 "$(realpath "$path")" "$to/${path##*/}"
        # With a path of its own it would not be looked for in our folder.
        if readelf -d "$path" | grep -qE 'R(UN)?PATH'; then
            say "$path has a path of its own for libraries"
            return 1
        fi
    done
}

# Prints the version of glibc that programs and libraries need, and fails if it is too late.
glibc_of() {
    local needed
    needed=$(objdump -T "$@" | grep -o '(GLIBC_[0-9][0-9.]*' | tr -d '(' | sort -Vu | tail -n 1)
    needed=${needed#GLIBC_}
    printf '%s\n' "$needed"
    if ! printf '%s\n' "$needed" "$latest_glibc" | sort -V -C; then
        say "glibc $needed is needed, but it should run with $latest_glibc"
        return 1
    fi
}

# licences DIRECTORY PACKAGE...: copies the licences of Debian packages, and says which versions
# these are. Licences that these texts only name come with them.
licences() {
    local to=$1 package
    shift
    mkdir -p "$to"
    {
        printf 'Parts of these Debian packages are in this release. Their sources are at\n'
        printf 'https://snapshot.debian.org/.\n\n'
        dpkg-query -W \
            -f='${Package} ${Version} (source: ${source:Package} ${source:Version})\n' "$@" | sort -u
    } >"$to/README"
    for package in "$@"; do
        cp -L "/usr/share/doc/${package%%:*}/copyright" "$to/${package%%:*}"
    done
    grep -ohE '/usr/share/common-licenses/[A-Za-z]+-[0-9.]*[0-9]' "$to"/* | sort -u |
        xargs -r cp -L -t "$to"
}

# Prints the packages that libraries come from.
packages_of() {
    local path
    for path in "$@"; do
        # The name of the file only: packages were made before /lib became a link to /usr/lib.
        dpkg-query -S "*/$(basename "$(realpath "$path")")"
    done | sed 's/:.*//' | sort -u
}

# copy_glibc ROOT: copies the parts of glibc that programs with their own libraries load.
copy_glibc() {
    local file
    dpkg-query -L libc6 | grep -E '/(ld-linux[^/]*|lib(c|m|resolv)\.so\.[0-9]+)$' |
        while read -r file; do
            mkdir -p "$1$(dirname "$file")"
            cp -L "$file" "$1$file"
        done
}
