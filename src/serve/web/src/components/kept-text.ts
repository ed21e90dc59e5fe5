// PGN texts that are kept as long as the tab, because they do not fit into the address. The server
// keeps nothing.

const kMostKept = 2 * 1024 * 1024; // characters

export function keptText(name: string): Blob | null {
    const text = sessionStorage.getItem(name);
    return text === null ? null : new Blob([text]);
}

const newest = new Map<string, Blob>(); // of each name

// Keeps the text for a reload, unless it is too large or the tab has no room for it. Of two texts the
// one that was given last is kept.
export async function keepText(name: string, pgn: Blob): Promise<void> {
    newest.set(name, pgn);
    const text = pgn.size <= kMostKept ? await pgn.text() : null;
    if (newest.get(name) !== pgn) return;
    forgetText(name);
    try {
        if (text !== null) sessionStorage.setItem(name, text);
    } catch {
        // There is no room.
    }
}

export function forgetText(name: string): void {
    sessionStorage.removeItem(name);
}
