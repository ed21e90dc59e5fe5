// Openings by name: "Najdorf" is the line to where a game entered that opening first.
import { call } from "../api";
import type { Game, GameRow, Page, PlayedMove, Position } from "../types";

const kMostPlies = 60; // no opening has a name after more

// Returns the words of a name without accents, in small letters.
function wordsOf(text: string): string[] {
    const plain = text.normalize("NFD").replace(/\p{M}|['’]/gu, "");
    return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

// Moves have digits or are castling; names of openings have neither.
export function isOpeningName(text: string): boolean {
    return /\p{L}{3}/u.test(text) && !/[\d/[\]{}]|O-O/.test(text);
}

function hasWords(name: string, wanted: readonly string[]): boolean {
    const words = wordsOf(name);
    return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

// Returns the moves to an opening whose name has these words; null if no game has played it.
export async function lineOfOpening(name: string): Promise<PlayedMove[] | null> {
    const { items } = await call<Page<GameRow>>("games", [
        ["opening", name],
        ["sort", "elo"],
        ["limit", 1],
    ]);
    if (!items[0]) return null;
    const game = await call<Game>(`games/${items[0].ref}`);
    const { line } = await call<Position>("position", [
        ["moves", (game.moves ?? []).slice(0, kMostPlies).join(" ")],
    ]);
    const wanted = wordsOf(name);
    const last = line.findIndex(({ opening }) => opening && hasWords(opening.name, wanted));
    return last < 0 ? null : line.slice(0, last + 1);
}
