// new_engine.mjs CHDB_FOLDER DATA_FOLDER PORT: as much of ClickHouse's HTTP interface as fendex
// uses, over the current engine, which npm's chdb runs in this process. Whole answers only.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import zlib from "node:zlib";

const [chdb, folder, port] = process.argv.slice(2);
const require = createRequire(path.join(chdb, "x.js"));
const { Session } = require("chdb");
// Node 20 has no zstd.
const { decompress } = require("fzstd");

fs.mkdirSync(folder, { recursive: true });
// The cluster `away`: two shards at which no server answers. The engine looks for its configuration
// below the user's home.
fs.mkdirSync(path.join(folder, ".clickhouse-local"), { recursive: true });
const shard = (host) => `<shard><replica><host>${host}</host><port>9</port></replica></shard>`;
fs.writeFileSync(path.join(folder, ".clickhouse-local", "config.xml"),
    `<clickhouse><remote_servers><away>${shard("127.0.0.1")}${shard("127.0.0.2")}</away></remote_servers></clickhouse>`);
process.env.HOME = folder;
// `settings` are those that were set in the session: they mostly stay the same.
const open = () => Object.assign(new Session(path.join(folder, "data")), { settings: new Map() });
const killer = open();
const free = [open(), open(), open(), open()];
const waiting = [];
const take = () => (free.length ? free.pop() : new Promise((wake) => waiting.push(wake)));
const give = (session) => (waiting.length ? waiting.shift()(session) : free.push(session));

// What only concerns the transport, which is done here.
const OURS = /^(query|query_id|database|wait_end_of_query|buffer_size|enable_http_compression|.*_(structure|format))$/;
let files = 0;

function failure(code, text) {
    return Object.assign(new Error(text), { clickhouseCode: code });
}

function login(headers) {
    const user = headers["x-clickhouse-user"] ?? "default";
    const password = { default: "", guarded: "secret" }[user];
    if (password === undefined || password !== (headers["x-clickhouse-key"] ?? "")) {
        throw failure(516, `Code: 516. DB::Exception: ${user}: Authentication failed`);
    }
}

/** The parts of multipart/form-data: [name, bytes] each. */
function parts(body, boundary) {
    const mark = Buffer.from(`\r\n--${boundary}`);
    const text = Buffer.concat([Buffer.from("\r\n"), body]);
    const found = [];
    for (let at = text.indexOf(mark); ;) {
        const next = text.indexOf(mark, at + 1);
        if (next < 0) return found;
        const head = text.indexOf("\r\n\r\n", at);
        const name = /name="([^"]*)"/.exec(text.subarray(at, head).toString())[1];
        found.push([name, text.subarray(head + 4, next)]);
        at = next;
    }
}

async function answer(url, headers, body) {
    login(headers);
    const given = url.searchParams;
    const encoding = headers["content-encoding"];
    if (encoding === "gzip") body = zlib.gunzipSync(body);
    if (encoding === "zstd") body = Buffer.from(decompress(body));
    let tables = [];
    let sql = given.get("query") ?? "";
    const multipart = /^multipart\/form-data; *boundary=(.*)$/.exec(headers["content-type"] ?? "");
    if (multipart) {
        tables = parts(body, multipart[1]);
        sql += tables.filter(([name]) => name === "query").map(([, text]) => text).join("");
        tables = tables.filter(([name]) => name !== "query");
    } else if (!sql) {
        sql = body.toString();
    }
    const kill = /^KILL QUERY WHERE query_id = '([\w-]+)' ASYNC$/.exec(sql);
    if (kill) {
        const like = `query LIKE '/*${kill[1]}*/%'`;
        return (await killer.queryAsync(`KILL QUERY WHERE ${like} ASYNC`, { format: "TSV" })).bytes();
    }
    const session = await take();
    const bytes = async (text, format) => (await session.queryAsync(text, { format })).bytes();
    const run = (text) => bytes(text, "Null");
    // By this comment it is killed.
    const marked = (text) => `/*${given.get("query_id")}*/ ${text}`;
    const undo = [];
    const place = (bytes) => {
        const file = path.join(folder, `rows${++files}`);
        fs.writeFileSync(file, bytes);
        undo.push(() => fs.unlinkSync(file));
        return file;
    };
    try {
        await run(`USE ${given.get("database") ?? "default"}`);
        const wanted = new Map([...given].filter(([name]) => !OURS.test(name)));
        const changes = [...session.settings.keys()].filter((name) => !wanted.has(name))
            .map((name) => `${name} = DEFAULT`);
        for (const [name, value] of wanted) {
            if (session.settings.get(name) !== value) changes.push(`${name} = '${value}'`);
        }
        if (changes.length) await run(`SET ${changes.join(", ")}`);
        session.settings = wanted;
        for (const [name, bytes] of tables) {
            const structure = given.get(`${name}_structure`);
            await run(`CREATE TEMPORARY TABLE ${name} (${structure})`);
            undo.push(() => run(`DROP TABLE ${name}`));
            const file = place(bytes);
            if (bytes.length) await run(`INSERT INTO ${name} SELECT * FROM file('${file}', RowBinary, '${structure}')`);
        }
        const format = / FORMAT (RowBinary)$/.exec(sql)?.[1];
        if (format) sql = sql.slice(0, -` FORMAT ${format}`.length);
        const insert = /^INSERT INTO\s+(\S+)\s*\(([^)]*)\)$/.exec(sql);
        if (!insert) return await bytes(marked(sql), format ?? "TSV");
        const columns = insert[2].split(",").map((name) => name.trim().replaceAll("`", ""));
        const rows = (await bytes(`DESCRIBE TABLE ${insert[1]}`, "TSV")).toString().trim().split("\n");
        const types = new Map(rows.map((row) => row.split("\t", 2)));
        const structure = columns.map((name) => `${name} ${types.get(name)}`).join(", ");
        if (body.length) await run(marked(`${sql} SELECT * FROM file('${place(body)}', RowBinary, '${structure}')`));
        return Buffer.alloc(0);
    } finally {
        for (const act of undo.reverse()) await act();
        give(session);
    }
}

http.createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    // A body that is cut off never gets there.
    request.on("end", async () => {
        const url = new URL(request.url, "http://localhost");
        response.setHeader("X-ClickHouse-Server-Display-Name", "chdb");
        try {
            let bytes = Buffer.from(
                url.pathname === "/ping" ? "Ok.\n" : await answer(url, request.headers, Buffer.concat(chunks)));
            if (/gzip/.test(request.headers["accept-encoding"] ?? "")) {
                bytes = zlib.gzipSync(bytes, { level: 1 });
                response.setHeader("Content-Encoding", "gzip");
            } else if (/zstd/.test(request.headers["accept-encoding"] ?? "")) {
                // Asked for by tests with another address of this machine; the program has it.
                bytes = execFileSync("zstd", ["-1cq"], { input: bytes, maxBuffer: 2 ** 31 });
                response.setHeader("Content-Encoding", "zstd");
            }
            response.end(bytes);
        } catch (error) {
            const code = error.clickhouseCode ?? 1000;
            response.statusCode = code === 516 ? 403 : 500;
            response.setHeader("X-ClickHouse-Exception-Code", code);
            const text = error.message ?? String(error);
            response.end(text.startsWith("Code:") ? text : `Code: ${code}. ${text}`);
        }
    });
}).listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
