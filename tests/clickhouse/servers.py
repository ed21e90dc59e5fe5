#!/usr/bin/env python3
"""ClickHouse servers for the tests, on free ports of the loopback interface.

    servers.py start STATE [--chdb FOLDER] [--for PID] [--kind KIND]
    servers.py stop STATE

KIND is `one` (a server of Debian's clickhouse-server), `two` (two of them as shards of the cluster
`two`, on 127.0.0.1 and 127.0.0.2), `copies` (the same two servers, with Debian's ZooKeeper, as
replicas of the only shard of the cluster `copies`) or `new` (the current engine: npm's chdb below
FOLDER); all if it is not given. `start` returns when they answer. STATE becomes a JSON file: for each
kind its address for a URL ("hosts"), its processes ("pids"), or why there is none ("why"). If
openssl is installed, `one` has a certificate (its file: "certificate") and answers with TLS, too (its
address for that: "tls").

A watcher keeps the servers: they end when it does, and it ends at `stop` or with process PID (by
default the parent's). The data are in a temporary folder, removed then. Names of servers that are
written into the file STATE.restart, one a line, are started again: `one`, `two1`, `two2`, `new`.
"""
import argparse
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 20  # for a server to start

CONFIG = """<yandex>
    <logger><level>none</level></logger>
    <listen_host>{host}</listen_host>
    <http_port>{http}</http_port>
    <tcp_port>{tcp}</tcp_port>
    <keep_alive_timeout>3</keep_alive_timeout>
    <path>{folder}/data/</path>
    <tmp_path>{folder}/data/tmp/</tmp_path>
    <user_files_path>{folder}/data/files/</user_files_path>
    <format_schema_path>{folder}/data/schemas/</format_schema_path>
    <users_config>{folder}/users.xml</users_config>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
    <mark_cache_size>8000000</mark_cache_size>
    <uncompressed_cache_size>0</uncompressed_cache_size>
    <timezone>UTC</timezone>
    <remote_servers><two>
        <shard><replica><host>127.0.0.1</host><port>{ports[0]}</port></replica></shard>
        <shard><replica><host>127.0.0.2</host><port>{ports[1]}</port></replica></shard>
    </two><copies>
        <shard><internal_replication>true</internal_replication>
            <replica><host>127.0.0.1</host><port>{ports[0]}</port></replica>
            <replica><host>127.0.0.2</host><port>{ports[1]}</port></replica></shard>
    </copies><grown>
        <shard><replica><host>127.0.0.1</host><port>{ports[0]}</port></replica></shard>
        {second_shard}
    </grown></remote_servers>
    {keeper}
    {tls}
    <interserver_http_host>{host}</interserver_http_host>
    <interserver_http_port>{interserver}</interserver_http_port>
    <query_log><database>system</database><table>query_log</table>
        <flush_interval_milliseconds>200</flush_interval_milliseconds></query_log>
</yandex>
"""

# Of the cluster "grown", which begins with one.
SECOND_SHARD = "<shard><replica><host>127.0.0.2</host><port>{}</port></replica></shard>"

# Its certificate is its own authority.
TLS = """<https_port>{port}</https_port>
    <openSSL><server><certificateFile>{folder}/certificate.pem</certificateFile>
        <privateKeyFile>{folder}/key.pem</privateKeyFile><verificationMode>none</verificationMode>
    </server></openSSL>"""

KEEPER = ("<zookeeper><node><host>127.0.0.1</host><port>{}</port></node>"
          "<session_timeout_ms>4000</session_timeout_ms></zookeeper>")
KEEPER_CONFIG = """tickTime=500
dataDir={folder}/data
clientPort={port}
clientPortAddress=127.0.0.1
admin.enableServer=false
forceSync=no
"""
# What ZooKeeper needs of Debian's packages, which tests/setup.sh unpacks.
KEEPER_JARS = ["zookeeper", "zookeeper-jute", "slf4j-api", "slf4j-nop", "metrics-core", "snappy-java"]

USER = "<{0}><password>{1}</password><networks><ip>::/0</ip></networks><profile>{2}</profile><quota>default</quota></{0}>"
# Only what `logged` asks is in system.query_log: writing and merging it costs a server as much as the
# tests' questions.
USERS = ("<yandex><profiles><default><max_threads>2</max_threads>"
         "<max_memory_usage>3000000000</max_memory_usage>"
         "<background_pool_size>2</background_pool_size></default>"
         "<reading><readonly>2</readonly><max_threads>2</max_threads></reading>"
         "<logging><profile>default</profile><log_queries>1</log_queries></logging></profiles><users>"
         + USER.format("default", "", "default") + USER.format("guarded", "secret", "default")
         + USER.format("reader", "", "reading") + USER.format("logged", "", "logging")
         + "</users><quotas><default></default></quotas></yandex>")


def free_port(hosts):
    """A port that is free on all these addresses."""
    while True:
        sockets = [socket.socket() for _ in hosts]
        try:
            for host, each in zip(hosts, sockets):
                port = sockets[0].getsockname()[1] if each is not sockets[0] else 0
                each.bind((host, port))
            return sockets[0].getsockname()[1]
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()


def dies_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Server:
    """One process, which can be killed and started again on the same data and ports."""

    def __init__(self, name, host, http, command):
        self.name, self.host, self.http, self.command = name, host, http, command
        self.process = None
        self.awaits_keeper = False
        self.grow = None  # adds the second shard of the cluster "grown" to its configuration
        self.tls = {}  # for the state

    @staticmethod
    def old(name, folder, host, http, tcp, ports, keeper=None, with_tls=False):
        """A server of Debian's package; `ports` are those of the shards, `keeper` ZooKeeper's."""
        os.makedirs(f"{folder}/data", exist_ok=True)
        config = pathlib.Path(folder, "config.xml")
        values = {"host": host, "http": http, "tcp": tcp, "ports": ports, "folder": folder,
                  "interserver": free_port([host]), "keeper": KEEPER.format(keeper) if keeper else "",
                  "tls": ""}
        tls = {}
        if with_tls and make_certificate(folder, host):
            port = free_port([host])
            tls = {"tls": f"{host}:{port}", "certificate": f"{folder}/certificate.pem"}
            values["tls"] = TLS.format(port=port, folder=folder)
        config.write_text(CONFIG.format(**values, second_shard=""), encoding="utf-8")
        pathlib.Path(folder, "users.xml").write_text(USERS, encoding="utf-8")
        server = Server(name, host, http, ["clickhouse-server", f"--config-file={config}"])
        server.awaits_keeper = keeper is not None
        server.tls = tls
        # A server reads a changed file within two seconds.
        server.grow = lambda: config.write_text(
            CONFIG.format(**values, second_shard=SECOND_SHARD.format(ports[1])), encoding="utf-8")
        return server

    @staticmethod
    def new(name, folder, http, chdb):
        os.makedirs(folder, exist_ok=True)
        return Server(name, "127.0.0.1", http,
                      ["node", str(HERE / "new_engine.mjs"), str(chdb), folder, str(http)])

    @staticmethod
    def keeper(folder, port, jars):
        os.makedirs(folder, exist_ok=True)
        pathlib.Path(folder, "zoo.cfg").write_text(
            KEEPER_CONFIG.format(folder=folder, port=port), encoding="utf-8")
        return Server("keeper", "127.0.0.1", port,
                      ["java", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                       ":".join(jars), "org.apache.zookeeper.server.ZooKeeperServerMain",
                       f"{folder}/zoo.cfg"])

    def start(self):
        # Only the beginning of a log is of use, and only if the server does not start.
        self.log = tempfile.TemporaryFile()
        # chdb's queries occupy threads of node's pool, which has four otherwise.
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, preexec_fn=dies_with_parent,
                                        env={**os.environ, "UV_THREADPOOL_SIZE": "16"})

    def wait(self):
        """Waits until it answers; returns why it does not."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                if self.name == "keeper":
                    with socket.create_connection((self.host, self.http), timeout=1):
                        return ""
                with urllib.request.urlopen(f"http://{self.host}:{self.http}/ping", timeout=1) as answer:
                    if answer.status == 200 and (not self.awaits_keeper or self.has_keeper()):
                        return ""
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.log.seek(0)
        return f"{self.command[0]} does not start: {self.log.read(500).decode(errors='replace')}"

    def has_keeper(self):
        """Whether its keeper answers it, which may not be so yet when both have just started."""
        query = urllib.parse.quote("SELECT count() FROM system.zookeeper WHERE path = '/'")
        with urllib.request.urlopen(f"http://{self.host}:{self.http}/?query={query}", timeout=5) as answer:
            return answer.status == 200

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.log.close()


def make_certificate(folder, host):
    """Makes a key and a certificate of it for a host. Returns False without openssl."""
    if not shutil.which("openssl"):
        return False
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=fendex tests", "-addext",
                    f"subjectAltName=IP:{host}", "-keyout", f"{folder}/key.pem", "-out",
                    f"{folder}/certificate.pem"], check=True, capture_output=True)
    return True


def keeper_jars():
    """Returns the jars of ZooKeeper: installed, or unpacked beside clickhouse-server."""
    unpacked = pathlib.Path(shutil.which("clickhouse-server")).parents[1] / "share/java"
    for folder in (pathlib.Path("/usr/share/java"), unpacked):
        jars = [str(folder / f"{name}.jar") for name in KEEPER_JARS]
        if all(os.path.exists(jar) for jar in jars):
            return jars
    return []


def make_servers(kinds, folder, chdb):
    """Returns {kind: [Server]} and {kind: why there is none}. The kind `keeper` is ZooKeeper."""
    servers, why = {}, {}
    for kind in kinds:
        if kind == "new":
            if not shutil.which("node"):
                why[kind] = "node is not installed"
            elif not pathlib.Path(chdb, "node_modules", "chdb").exists():
                why[kind] = f"npm's chdb is not installed in {chdb}"
            else:
                servers[kind] = [Server.new("new", f"{folder}/new", free_port(["127.0.0.1"]), chdb)]
        elif not shutil.which("clickhouse-server"):
            why[kind] = "clickhouse-server is not installed"
        elif kind == "one":
            host = "127.0.0.1"
            http, tcp = free_port([host]), free_port([host])
            servers[kind] = [Server.old("one", f"{folder}/one", host, http, tcp, [1, 2],
                                        with_tls=True)]
        elif kind == "copies":
            if not shutil.which("java"):
                why[kind] = "java is not installed, which ZooKeeper needs"
            elif not keeper_jars():
                why[kind] = "ZooKeeper is not installed"
            else:
                port = free_port(["127.0.0.1"])
                servers["keeper"] = [Server.keeper(f"{folder}/keeper", port, keeper_jars())]
                servers[kind] = two_servers(folder, port)
        else:
            servers[kind] = servers.get("copies") or two_servers(folder, None)
    return servers, why


def two_servers(folder, keeper):
    hosts = ["127.0.0.1", "127.0.0.2"]
    http = free_port(hosts)
    # Not the same: a server takes an address of this machine with its own port for itself.
    ports = [free_port(hosts), free_port(hosts)]
    return [Server.old(f"two{number}", f"{folder}/two{number}", host, http, ports[number - 1], ports,
                       keeper)
            for number, host in enumerate(hosts, 1)]


def write_state(path, state):
    temporary = f"{path}.new"
    pathlib.Path(temporary).write_text(json.dumps(state, indent=1), encoding="utf-8")
    os.replace(temporary, path)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def watch(path, kinds, chdb, parent):
    """Starts the servers, writes the state, and keeps them until its end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    folder = tempfile.mkdtemp(prefix="fendex-clickhouse-")
    servers, why = make_servers(kinds, folder, chdb)
    # Each once: the same servers may be of two kinds. The keeper comes first, because servers wait for it.
    everything = list({id(server): server for kind in sorted(servers, key=lambda kind: kind != "keeper")
                       for server in servers[kind]}.values())
    restart, grow = pathlib.Path(f"{path}.restart"), pathlib.Path(f"{path}.grow")
    restart.unlink(missing_ok=True)
    grow.unlink(missing_ok=True)

    def state():
        kinds_state = {kind: {"why": reason} for kind, reason in why.items()}
        for kind, each in servers.items():
            kinds_state[kind] = {"why": "", "hosts": [f"{server.host}:{server.http}" for server in each],
                                 "pids": [server.process.pid for server in each], **each[0].tls}
        return {"watcher": os.getpid(), "folder": folder, "kinds": kinds_state}

    try:
        for server in everything:
            server.start()
        for kind in sorted(servers, key=lambda kind: kind != "keeper"):
            reasons = [reason for reason in (server.wait() for server in servers[kind]) if reason]
            if reasons and kind == "keeper":
                for server in everything:
                    server.awaits_keeper = False
            if reasons:
                why[kind] = reasons[0]
                del servers[kind]
        if "keeper" in why and "copies" in servers:
            why["copies"] = why["keeper"]
            del servers["copies"]
        write_state(path, state())
        while is_alive(parent):
            if restart.exists():
                names = restart.read_text(encoding="utf-8").split()
                for server in everything:
                    if server.name in names:
                        server.kill()
                        server.start()
                        server.wait()
                write_state(path, state())
                restart.unlink()
            if grow.exists():
                for server in everything:
                    if server.grow:
                        server.grow()
                grow.unlink()
            for server in everything:
                server.process.poll()  # no zombies
            time.sleep(0.05)
    finally:
        for server in everything:
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def start(path, kinds, chdb, parent):
    pathlib.Path(path).unlink(missing_ok=True)
    watcher = os.fork()
    if watcher == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        try:
            watch(path, kinds, chdb, parent)
        finally:
            os._exit(0)
    while not os.path.exists(path):
        if os.waitpid(watcher, os.WNOHANG)[0]:
            sys.exit("the servers' watcher has ended")
        time.sleep(0.02)


def stop(path):
    try:
        watcher = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["watcher"]
    except FileNotFoundError:
        return
    pathlib.Path(path).unlink()
    if is_alive(watcher):
        os.kill(watcher, signal.SIGTERM)
    end = time.monotonic() + SECONDS
    while is_alive(watcher) and time.monotonic() < end:
        time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["start", "stop"])
    parser.add_argument("state")
    parser.add_argument("--chdb", default=str(HERE.parent.parent / "build-chdb"))
    parser.add_argument("--for", dest="parent", type=int, default=os.getppid())
    parser.add_argument("--kind", choices=["one", "two", "copies", "new"])
    arguments = parser.parse_args()
    if arguments.what == "start":
        kinds = [arguments.kind] if arguments.kind else ["one", "copies", "two", "new"]
        start(arguments.state, kinds, arguments.chdb, arguments.parent)
    else:
        stop(arguments.state)


if __name__ == "__main__":
    main()
