// A server of databases that are made of some archives, on a port that is free.
import { spawn, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Returns what the API says of the game of a PGN text.
export async function gameOf(fendex, pgn) {
    const directory = mkdtempSync(join(tmpdir(), 'fendex-game-'))
    const file = join(directory, 'game.pgn')
    writeFileSync(file, pgn)
    const server = await Server.start(fendex, [[file]])
    const game = await (await fetch(`${server.address}api/v1/games/1`)).json()
    await server.stop()
    rmSync(directory, { recursive: true })
    return game
}

// The files that the tests of the page need.
export function sampleFiles(samples) {
    const archives = readdirSync(samples)
        .filter((name) => /\.pgn(\.zst)?$/.test(name))
        .map((name) => join(samples, name))
    return [...archives, new URL('evaluations.jsonl', import.meta.url).pathname]
}

export class Server {
    // Makes a database of each list of archives. Resolves when the server has printed its address.
    static async start(fendex, lists) {
        const directory = mkdtempSync(join(tmpdir(), 'fendex-page-'))
        const databases = lists.map((archives, n) => {
            const database = join(directory, n === 0 ? 'samples.db' : `samples-${n + 1}.db`)
            execFileSync(fendex, ['import', '--quiet', '--annotations', database, ...archives])
            return database
        })
        const child = spawn(fendex, ['serve', ...databases, '--listen', '127.0.0.1:0'], {
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
