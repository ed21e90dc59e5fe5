// Numbers of moves, and ways into the explorer.
import { call } from "../api";
import { go, type Changes } from "../state";
import type { Position } from "../types";
import { sanText } from "./squares";

// "12." before White's move of that ply, "12…" before Black's; `ply` counts from 1.
export function moveNumber(ply: number): string {
    return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "…"}`;
}

// "12…Nf6", with the reader's letters.
export function numberedMove(ply: number, san: string): string {
    return `${moveNumber(ply)}${sanText(san)}`;
}

// A line as text, "1.e4 c5 2.Nf3", with the reader's letters.
export function lineText(line: string): string {
    return line.replace(/(^|[ .])([KQRBN])/g, (_, before: string, piece: string) => before + sanText(piece));
}

// SAN from the start position as "1.e4 c5 2.Nf3", as the API reads it.
export function lineOf(sans: readonly string[]): string {
    return sans.map((san, ply) => (ply % 2 === 0 ? `${ply / 2 + 1}.${san}` : san)).join(" ");
}

// Shows the position after these moves in the explorer. The server knows what they mean.
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
