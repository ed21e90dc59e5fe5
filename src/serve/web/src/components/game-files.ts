// Cuts a file of PGN games into pieces of whole games, because the server takes only so much at
// once. A file may be larger than the memory that the page has.

// The server takes 8 MB. A piece is smaller, so that the first answers come soon.
const kPiece = 1024 * 1024;
const kMostBytes = 8 * 1024 * 1024;

// Returns where the last game of the text begins, in bytes; 0 if no game begins after the start.
function lastGame(bytes: Uint8Array): number {
    const mark = new TextEncoder().encode("\n[Event ");
    for (let at = bytes.length - mark.length; at > 0; at--)
        if (mark.every((byte, index) => bytes[at + index] === byte)) return at + 1;
    return 0;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
    const both = new Uint8Array(a.length + b.length);
    both.set(a);
    both.set(b, a.length);
    return both;
}

// Returns the pieces, each of at least one game. A game that is larger than the server takes is
// returned as it is: the server refuses it.
export async function* piecesOf(file: Blob): AsyncGenerator<Blob> {
    const reader = file.stream().getReader();
    let rest = new Uint8Array();
    for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        rest = joined(rest, value) as Uint8Array<ArrayBuffer>;
        if (rest.length < kPiece) continue;
        const end = lastGame(rest);
        if (end === 0) {
            if (rest.length <= kMostBytes) continue;
            yield new Blob([rest]);
            return;
        }
        yield new Blob([rest.subarray(0, end)]);
        rest = rest.slice(end);
    }
    if (rest.length > 0) yield new Blob([rest]);
}
