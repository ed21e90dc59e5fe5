// PGN texts that are kept as long as the tab, because they do not fit into the address. The server
// keeps nothing.

const kMostKept = 2 * 1024 * 1024; // characters

export function keptText(name: string): Blob | null {
    const text = sessionStorage.getItem(name);
    return text === null ? null : new Blob([text]);
}

// Keeps the text for a reload, unless it is too large.
export async function keepText(name: string, pgn: Blob): Promise<void> {
    forgetText(name);
    if (pgn.size <= kMostKept) sessionStorage.setItem(name, await pgn.text());
}

export function forgetText(name: string): void {
    sessionStorage.removeItem(name);
}
