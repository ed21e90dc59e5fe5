// A server of the samples, on a port that is free.
import { spawn, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export class Server {
    // Resolves when the server has printed its address.
    static async start(fendex, samples) {
        const directory = mkdtempSync(join(tmpdir(), 'fendex-page-'))
        const database = join(directory, 'samples.db')
        const archives = readdirSync(samples)
            .filter((name) => /\.pgn(\.zst)?$/.test(name))
            .map((name) => join(samples, name))
        archives.push(new URL('evaluations.jsonl', import.meta.url).pathname)
        execFileSync(fendex, ['import', '--quiet', '--annotations', database, ...archives])
        const child = spawn(fendex, ['serve', database, '--listen', '127.0.0.1:0'], {
            stdio: ['ignore', 'pipe', 'pipe'],
        })
        let said = ''
        const address = await new Promise((resolve, reject) => {
            for (const stream of [child.stdout, child.stderr])
                createInterface(stream).on('line', (line) => {
                    said += `${line}\n`
                    const found = /http:\/\/[^\s/]+\//.exec(line)
                    if (found) resolve(found[0])
                })
            child.on('exit', (status) =>
                reject(new Error(`fendex serve ended with status ${status}: ${said}`)),
            )
        })
        return new Server(child, address, directory)
    }

    constructor(child, address, directory) {
        this.child = child
        this.address = address
        this.directory = directory
    }

    // Returns the exit status.
    async stop() {
        const ended = new Promise((resolve) => this.child.on('exit', resolve))
        this.child.kill('SIGTERM')
        const status = await ended
        rmSync(this.directory, { recursive: true })
        return status
    }
}
