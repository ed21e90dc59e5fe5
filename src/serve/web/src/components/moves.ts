// Numbers of moves, and links into the explorer.
import { call } from "../api";
import { go, type Changes } from "../state";
import type { Position } from "../types";
import { sanText } from "./squares";

// Returns "12." for a move of White, "12…" for one of Black. `ply` counts from 1.
export function moveNumber(ply: number): string {
    return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "…"}`;
}

// Returns "12…Nf6", with the piece letters of the user's language.
export function numberedMove(ply: number, san: string): string {
    return `${moveNumber(ply)}${sanText(san)}`;
}

// Returns a line, "1.e4 c5 2.Nf3", with the piece letters of the user's language.
export function lineText(line: string): string {
    return line.replace(/(^|[ .])([KQRBN])/g, (_, before: string, piece: string) => before + sanText(piece));
}

// Returns moves from the starting position as the API reads them: "1.e4 c5 2.Nf3".
export function lineOf(sans: readonly string[]): string {
    return sans.map((san, ply) => (ply % 2 === 0 ? `${ply / 2 + 1}.${san}` : san)).join(" ");
}

// Shows the position after these moves in the explorer. The server reads the moves.
export async function exploreLine(moves: string, changes: Changes = {}): Promise<void> {
    const position = await call<Position>("position", [["moves", moves]]);
    go({
        ...changes,
        view: "explorer",
        fen: null,
        variant: null,
        play: position.line.map((move) => move.uci).join(","),
        at: null,
    });
}
