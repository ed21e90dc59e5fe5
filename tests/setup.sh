# shellcheck shell=bash
# The set-up that samples/demo.sh, tests/run.sh and .ci/run source: lists the Debian packages needed,
# installs missing ones, configures and builds a build directory.

# shellcheck disable=SC2034 # the lists are for those who source this

# The packages that CMakeLists.txt looks for, a compiler and build tools.
build_packages=(g++ cmake ninja-build pkg-config
    libsqlite3-dev libzstd-dev zlib1g-dev libbz2-dev libfmt-dev nlohmann-json3-dev
    libboost-dev libboost-program-options-dev libcurl4-openssl-dev libutf8proc-dev
    libxxhash-dev libroaring-dev libarchive-dev libsimdjson-dev)

# Additional packages for the tests: their framework, and programs whose results they compare with.
# mold links the test programs in a quarter of the time.
test_packages=(catch2 mold sqlite3 pgn-extract polyglot jq curl openssl python3 python3-pandas zstd gzip
    bzip2)

# Additional packages for continuous integration: the second compiler with libFuzzer and what checks
# layout and code; programs that read the manual page and the completions, a browser and a chess
# engine, without which their tests are skipped.
ci_packages=(clang libclang-rt-14-dev clang-format-14 clang-tidy-14 mandoc zsh fish chromium stockfish)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root
# What is installed here comes before others of the same name: a python3 of pyenv takes half a second
# to start. Debian puts pgn-extract and stockfish into /usr/games.
PATH=/usr/bin:/bin:$PATH:/usr/games:$root/build-clickhouse/usr/sbin

say() { printf '%s\n' "$*" >&2; }

# Prints the arguments that are not installed packages.
missing_packages() {
    local package
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s\n' "$package"
    done
}

# install_missing PACKAGE...: installs the packages that are missing; uses the network only for
# these. Ends the program with status 2 if it may not install.
install_missing() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "Not a Debian system: please see to it that these (or their likes) are installed: $*"
        return 0
    fi
    local missing=() log
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0

    as_root true || cannot_install "${missing[@]}"
    say "Installing ${missing[*]}"
    local install=(as_root env DEBIAN_FRONTEND=noninteractive
        apt-get install -y -q --no-install-recommends "${missing[@]}")
    log=$(mktemp)
    # The package lists may be empty on a fresh machine and outdated on an old one. If the first try
    # fails, the lists are fetched before a second try.
    if ! "${install[@]}" >"$log" 2>&1 &&
        ! { as_root apt-get update -q >"$log" 2>&1 && "${install[@]}" >>"$log" 2>&1; }; then
        cat "$log" >&2
        rm -f "$log"
        cannot_install "${missing[@]}"
    fi
    rm -f "$log"
}

# Node.js and npm bundle the page for browsers. Without them the server has no page, which is no
# reason to stop. They need not come from Debian.
install_for_page() {
    local missing=()
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
    ((${#missing[@]} == 0)) || (install_missing "${missing[@]}") ||
        say "Without these, fendex serve has no page for browsers."
}

# Servers for the tests of the ClickHouse store: Debian's, and the current engine, which npm has as
# chdb. They go to build-clickhouse/ and build-chdb/, for all build directories. Without them these
# tests are skipped.
install_for_clickhouse() {
    local wanted=$root/tests/clickhouse/package-lock.json to=$root/build-chdb
    command -v clickhouse-server >/dev/null || unpack_clickhouse ||
        say "Without clickhouse-server, tests of the ClickHouse store are skipped."
    [[ -e $root/build-clickhouse/usr/share/java/zookeeper.jar ]] || unpack_zookeeper ||
        say "Without ZooKeeper, tests of replicated clusters are skipped."
    command -v npm >/dev/null || return 0
    cmp -s "$wanted" "$to/installed" && return 0
    say "Installing npm's chdb"
    mkdir -p "$to"
    cp "$root"/tests/clickhouse/package*.json "$to"
    # Not "npm ci", which wants to know the packages of other systems too.
    if (cd "$to" && npm install --ignore-scripts --prefer-offline --no-audit --no-fund \
        --fetch-retries=1) >"$to/npm.log" 2>&1; then
        cp "$wanted" "$to/installed"
    else
        rm -rf "$to/node_modules"
        say "npm cannot fetch chdb: tests with the current ClickHouse are skipped ($to/npm.log)."
    fi
}

# Installs what Debian's clickhouse-server depends on, and unpacks the package itself: installing it
# would enable a service and start it at every boot.
unpack_clickhouse() {
    local to=$root/build-clickhouse needed=()
    command -v apt-get >/dev/null || return 1
    [[ $(apt-cache pkgnames clickhouse-server) ]] || as_root apt-get update -q >/dev/null || return 1
    mapfile -t needed < <(apt-cache depends --no-recommends --no-suggests clickhouse-server |
        sed -n 's/^ *Depends: //p' | grep -v adduser)
    (install_missing "${needed[@]}") || return 1
    say "Unpacking clickhouse-server into ${to#"$root"/}"
    mkdir -p "$to"
    (cd "$to" && apt-get download -q clickhouse-server && dpkg-deb -x clickhouse-server_*.deb .) \
        >"$to/unpack.log" 2>&1
}

# Unpacks ZooKeeper, by which servers keep copies of their tables, and what it needs, into the same
# directory. It also needs java, which is not installed for it.
unpack_zookeeper() {
    local to=$root/build-clickhouse package
    command -v java >/dev/null && command -v apt-get >/dev/null || return 1
    say "Unpacking ZooKeeper into ${to#"$root"/}"
    mkdir -p "$to"
    (cd "$to" && for package in libzookeeper-java libslf4j-java libdropwizard-metrics-java \
        libsnappy-java; do
        apt-get download -q "$package" && dpkg-deb -x "$package"_*.deb . || exit 1
    done) >"$to/unpack-zookeeper.log" 2>&1
}

# Runs a command as root. Fails if that would need a password and nobody can be asked for it.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
        sudo "$@"
    else
        return 1
    fi
}

cannot_install() {
    say "Packages are missing and cannot be installed from here. As root, please run:"
    say "    apt-get update && apt-get install -y --no-install-recommends $*"
    exit 2
}

# build DIRECTORY TARGETS [CMAKE_OPTION...]: configures $root/DIRECTORY, with CC and CXX if they are
# set, and builds the targets, separated by blanks. Several sources are compiled as one, which takes
# half the time, unless an option says otherwise. Quiet; the output is in DIRECTORY/build.log, and
# shown after a failure.
build() {
    local dir=$root/$1 targets
    read -ra targets <<<"$2"
    shift 2
    local options=(-S "$root" -B "$dir" -DFENDEX_UNITY=ON "$@")
    if [[ ! -e $dir/CMakeCache.txt ]] && command -v ninja >/dev/null; then
        options+=(-G Ninja)
    fi
    mkdir -p "$dir"
    say "Building ${dir#"$root"/}"
    if ! { cmake "${options[@]}" && cmake --build "$dir" --target "${targets[@]}" -j "$(nproc)"; } \
        >"$dir/build.log" 2>&1; then
        cat "$dir/build.log" >&2
        say "The build in $dir has failed."
        return 1
    fi
    grep '^The page is left out: ' "$dir/build.log" >&2 || true
}

# Prints the directory for the tests' files: $TMPDIR if set, else in memory if there is room,
# because most tests would spend their time waiting for the disk.
scratch_directory() {
    local free
    free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) || free=0
    if [[ -n ${TMPDIR:-} || ! -w /dev/shm ]] || ((free < 4 * 1024 * 1024)); then
        printf '%s\n' "${TMPDIR:-/tmp}"
    else
        printf '/dev/shm\n'
    fi
}

# run_tests DIRECTORY [CTEST_OPTION...]: runs the tests built there, one more at once than there are
# processors, because some wait for servers. After success it prints ctest's last lines, after a
# failure everything except passed tests, then the reasons for skipped tests. The whole output is in
# DIRECTORY/ctest.log.
run_tests() {
    local dir=$root/$1 status=0
    shift
    TMPDIR=$(scratch_directory) ctest --test-dir "$dir" --output-on-failure --no-tests=error \
        -j "$(($(nproc) + 1))" "$@" >"$dir/ctest.log" 2>&1 || status=$?
    if ((status)); then
        grep -Ev '^ +Start |  Passed  |\*\*\*Skipped' "$dir/ctest.log" || true
    else
        sed -nE '/tests passed, /,/^$/p; /Total Test time/p' "$dir/ctest.log"
    fi
    sed -n 's/^skipped: //p' "$dir/Testing/Temporary/LastTest.log" | sort | uniq -c |
        sed -E 's/^ *([0-9]+) (.*)/\1 skipped: \2/'
    return "$status"
}
