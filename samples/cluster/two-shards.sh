#!/usr/bin/env bash
# two-shards.sh [INPUT...]: a cluster of two ClickHouse servers on this machine, for a try. Imports
# the inputs (the games of samples/), pushes them, and asks the cluster. Servers, ports and data are
# its own, in a temporary folder; all of it ends with the script.
#
#     samples/cluster/two-shards.sh
#     samples/cluster/two-shards.sh --keep my-games.pgn     serves the page until Ctrl-C
#
# Needs Debian's clickhouse-server (only the program, no running service) and fendex in the PATH, in
# $FENDEX or in build/src.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
fendex=${FENDEX:-$(command -v fendex || printf '%s' "$here/build/src/fendex")}
keep=no
if [[ ${1:-} == --keep ]]; then
    keep=yes
    shift
fi
(($#)) || set -- "$here"/samples/*.pgn "$here"/samples/*.pgn.zst
for program in "$fendex" clickhouse-server; do
    command -v "$program" >/dev/null || {
        printf '%s is missing. On Debian: apt-get install clickhouse-server; fendex is built by samples/demo.sh\n' \
            "$program" >&2
        exit 77 # to ctest: not run
    }
done

folder=$(mktemp -d)
servers=()
finish() {
    ((${#servers[@]} == 0)) || kill -9 "${servers[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT

# A port that is free on both addresses of the servers.
free_port() {
    python3 -c '
import socket
while True:
    one, two = socket.socket(), socket.socket()
    one.bind(("127.0.0.1", 0))
    try:
        two.bind(("127.0.0.2", one.getsockname()[1]))
    except OSError:
        continue
    print(one.getsockname()[1])
    break'
}
http=$(free_port)
native=$(free_port)

# The two shards of the cluster "two". fendex reaches the hosts of a cluster at the HTTP port that
# its URL names, the servers reach one another at their native port.
shard() {
    local host=$1 own=$folder/$1
    mkdir -p "$own"
    cat >"$own/config.xml" <<XML
<yandex>
    <logger><level>none</level></logger>
    <listen_host>$host</listen_host>
    <http_port>$http</http_port>
    <tcp_port>$native</tcp_port>
    <path>$own/</path>
    <tmp_path>$own/tmp/</tmp_path>
    <user_files_path>$own/files/</user_files_path>
    <format_schema_path>$own/schemas/</format_schema_path>
    <users_config>$own/users.xml</users_config>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
    <mark_cache_size>64000000</mark_cache_size>
    <timezone>UTC</timezone>
    <remote_servers><two>
        <shard><replica><host>127.0.0.1</host><port>$native</port></replica></shard>
        <shard><replica><host>127.0.0.2</host><port>$native</port></replica></shard>
    </two></remote_servers>
</yandex>
XML
    cat >"$own/users.xml" <<'XML'
<yandex>
    <profiles><default/></profiles>
    <users><default>
        <password></password><networks><ip>127.0.0.0/8</ip></networks>
        <profile>default</profile><quota>default</quota>
    </default></users>
    <quotas><default/></quotas>
</yandex>
XML
    (cd "$own" && exec clickhouse-server --config-file="$own/config.xml") >"$own/out" 2>&1 &
    servers+=($!)
}
answers() { python3 -c "import urllib.request as u; u.urlopen('http://$1:$http/ping', timeout=1)" 2>/dev/null; }
shard 127.0.0.1
shard 127.0.0.2
for host in 127.0.0.1 127.0.0.2; do
    for ((i = 0; i < 100; ++i)); do
        if answers "$host"; then continue 2; fi
        sleep 0.1
    done
    printf 'The server on %s does not start:\n' "$host" >&2
    tail -n 5 "$folder/$host/out" >&2
    exit 1
done

run() {
    printf '\n$ fendex %s\n' "$*"
    "$fendex" "$@"
}
cluster=clickhouse://127.0.0.1:$http/chess
run import "$folder/games.db" "$@"
run push "$folder/games.db" "$cluster" --cluster two
run push "$folder/games.db" "$cluster" --check
run tree "$cluster" --moves "1.e4 e5 2.Nf3 Nc6" --since 2010
run find "$cluster" --moves "1.e4 e5 2.Nf3 Nc6 3.Bb5" --limit 5
run repeats "$cluster" --missed || true
run info "$cluster"
if [[ $keep == yes ]]; then run serve "$cluster"; fi
