// The rows of answers about a PGN that the browser has.
import { rows, type Query } from "../api";

// Returns the first rows, `most` of them; the server stops when nobody reads on.
export async function postedRows<T>(
    path: string,
    query: Query,
    pgn: Blob,
    signal: AbortSignal,
    most = Infinity,
): Promise<T[]> {
    const found: T[] = [];
    const body = { method: "POST", body: pgn, type: "application/x-chess-pgn", signal } as const;
    for await (const row of rows<T>(path, query, body)) {
        found.push(row);
        if (found.length >= most) break;
    }
    return found;
}
