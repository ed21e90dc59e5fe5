// node embed_page.mjs DIRECTORY OUT: writes OUT, the C++ source with the files in DIRECTORY, gzipped
// (page_files.hpp).
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'

const [directory, out] = process.argv.slice(2)
const names = readdirSync(directory, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(directory, name)).isFile())
    .sort()

let arrays = ''
let files = ''
names.forEach((name, number) => {
    const content = readFileSync(join(directory, name))
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
    const gzipped = gzipSync(content, { level: constants.Z_BEST_COMPRESSION })
    // Numbers, because compilers limit the length of a literal of characters.
    const numbers = [...gzipped.values()].map((byte) => (byte > 127 ? byte - 256 : byte)).join(',')
    arrays += `constexpr char kPageFile${number}[] = {${numbers.replace(/(.{90}[^,]*,)/g, '$1\n')}};\n`
    files += `    {"${name}", {kPageFile${number}, sizeof kPageFile${number}}, "${digest}"},\n`
})
writeFileSync(
    out,
    `#include "serve/page_files.hpp"

namespace fendex::serve {

namespace {

${arrays}
constexpr PageFile kPageFiles[] = {
${files}};

}  // namespace

std::span<const PageFile> page_files() { return kPageFiles; }
std::string_view why_no_page() { return {}; }

}  // namespace fendex::serve
`,
)
