// PGN texts that are kept as long as the tab, because they do not fit into the address. The server
// keeps nothing.

const kMostKept = 2 * 1024 * 1024; // characters

export function keptText(name: string): Blob | null {
    const text = sessionStorage.getItem(name);
    return text === null ? null : new Blob([text]);
}

// Keeps the text for a reload, unless it is too large or the tab has no room for it.
export async function keepText(name: string, pgn: Blob): Promise<void> {
    try {
        if (pgn.size <= kMostKept) return sessionStorage.setItem(name, await pgn.text());
    } catch {
        // The text before is not kept instead of this one.
    }
    forgetText(name);
}

export function forgetText(name: string): void {
    sessionStorage.removeItem(name);
}
