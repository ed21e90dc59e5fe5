"""Two ClickHouse servers as the shards of a cluster, for tests that are programs of their own."""
import os
import urllib.request

import servers


class Wrong(Exception):
    """Something that must hold does not."""


class Cluster:
    """Two servers with the cluster `two`."""

    def __init__(self, folder, small_disk=None):
        made, why = servers.make_servers(["two"], str(folder), None)
        if why:
            raise FileNotFoundError(why["two"])
        self.servers = made["two"]
        if small_disk:
            # The disk is a file system in memory of this size, which only the server sees.
            disk = f"{folder}/two2/data"
            mount = f"mount -t tmpfs -o size={small_disk} tmpfs {disk}"
            rights = "-m" if os.geteuid() == 0 else "-rm"
            server = self.servers[1]
            server.command = ["unshare", rights, "sh", "-c", f'{mount} && exec "$@"', "sh",
                              *server.command]
            self.disk = disk
        for server in self.servers:
            server.start()
        for server in self.servers:
            why = server.wait()
            if why:
                self.end()
                raise OSError(why)

    def end(self):
        for server in self.servers:
            server.kill()

    def ended(self):
        """What became of servers that nobody killed: those of 2018 crash now and then."""
        ends = [server.process.poll() for server in self.servers]
        return [f"server {number} ended with {end}" for number, end in enumerate(ends) if end is not None]

    def restart(self, number):
        self.servers[number].start()
        why = self.servers[number].wait()
        if why:
            raise Wrong(why)

    def url(self, database):
        return f"clickhouse://{self.servers[0].host}:{self.servers[0].http}/{database}"

    def sql(self, text, number=0):
        server = self.servers[number]
        with urllib.request.urlopen(f"http://{server.host}:{server.http}/", data=text.encode(),
                                    timeout=60) as answer:
            return [line.split("\t") for line in answer.read().decode().splitlines()]

    def drop(self, database):
        for number in range(len(self.servers)):
            self.sql(f"DROP DATABASE IF EXISTS {database}", number)
