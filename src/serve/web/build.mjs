// Bundles the page: node build.mjs OUTDIR writes OUTDIR/index.html and OUTDIR/assets/*.
// Names in assets/ carry a hash of their content. Nothing is inline: the server's
// Content-Security-Policy is default-src 'self'. With --watch, it builds again on changes.
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const packageRequire = createRequire(import.meta.url);
const watch = process.argv.includes("--watch");
const out = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
if (!out) {
    console.error("usage: node build.mjs OUTDIR [--watch]");
    process.exit(2);
}

// Copies a file to assets/ under a name with its hash; returns that name.
async function asset(path, name = basename(path)) {
    return writeAsset(await readFile(path), name);
}

async function writeAsset(bytes, name) {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    await writeFile(join(out, "assets", hashed), bytes);
    return `assets/${hashed}`;
}

// The licences of what is bundled, which ask to be passed on.
async function licenceTexts(packages) {
    let text = `The drawings of the pieces, pieces.svg: by the Wikipedia users Cburnett and Rfc1394,
changed by Stefan Haack for cm-chessboard; Creative Commons Attribution-ShareAlike 3.0 Unported,
https://creativecommons.org/licenses/by-sa/3.0/
Those of the plain set, pieces-plain.svg, are fendex's own, under its licence.
`;
    for (const name of packages) {
        const folder = dirname(packageRequire.resolve(`${name}/package.json`));
        const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
        const licence = await readFile(join(folder, "LICENSE"), "utf8");
        text += `\n${name} ${version}\n${"=".repeat(40)}\n${licence.trim()}\n`;
    }
    return text;
}

await mkdir(join(out, "assets"), { recursive: true });
for (const old of await readdir(join(out, "assets"))) await rm(join(out, "assets", old));

const boardPackage = dirname(packageRequire.resolve("cm-chessboard/package.json"));
const pieces = await asset(join(boardPackage, "assets/pieces/standard.svg"), "pieces.svg");
const plainPieces = await asset(join(here, "src/assets/pieces-plain.svg"));
const marks = await asset(join(here, "src/assets/marks.svg"));
const licences = await writeAsset(
    await licenceTexts(["preact", "cm-chessboard", "uplot"]),
    "licences.txt",
);
const icon = await asset(join(here, "src/assets/icon.svg"));

// Writes index.html with the names that the bundler chose.
const writeIndex = {
    name: "write-index",
    setup(build) {
        build.onEnd(async (result) => {
            if (result.errors.length > 0) return;
            const outputs = Object.entries(result.metafile.outputs);
            const entry = outputs.find(([, o]) => o.entryPoint?.endsWith("src/main.tsx"));
            const relative = (path) => `assets/${basename(path)}`;
            // The view that most visits begin with is fetched together with the shell.
            const first = outputs.find(([, o]) => o.entryPoint?.endsWith("views/explorer.tsx"));
            const needed = [entry, first].flatMap(([path, o]) => [
                path,
                ...o.imports.filter((i) => i.kind === "import-statement").map((i) => i.path),
            ]);
            const preloads = [...new Set(needed)]
                .filter((path) => path !== entry[0])
                .map((path) => `    <link rel="modulepreload" href="${relative(path)}">`);
            const template = await readFile(join(here, "src/index.html"), "utf8");
            const html = template
                .replace("{{icon}}", icon)
                .replace("{{style}}", relative(entry[1].cssBundle))
                .replace("{{script}}", relative(entry[0]))
                .replace("    {{preloads}}\n", preloads.map((line) => line + "\n").join(""));
            await writeFile(join(out, "index.html"), html);
        });
    },
};

const options = {
    absWorkingDir: here,
    entryPoints: ["src/main.tsx"],
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["chrome123", "firefox121", "safari17.5"],
    outdir: join(resolve(out), "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    minify: !watch,
    metafile: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
        PIECES_URL: JSON.stringify(pieces),
        PLAIN_PIECES_URL: JSON.stringify(plainPieces),
        MARKS_URL: JSON.stringify(marks),
        LICENCES_URL: JSON.stringify(licences),
    },
    plugins: [writeIndex],
    logLevel: "warning",
};

if (watch) {
    const context = await esbuild.context(options);
    await context.watch();
} else {
    await esbuild.build(options);
}
