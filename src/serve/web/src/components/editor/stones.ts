// What can stand on the squares of a board that is set up. A square holds a text, because there is
// more than pieces (jokers of patterns).
import type { MutableRef } from "preact/hooks";
import { pieceName } from "../squares";

export interface Stone {
    code: string; // what a square holds: "K", "p", "?", "[Qq]"
    label: string; // for screen readers and as a title
    text?: string; // drawn instead of a piece
    key?: string; // puts it on the focused square; the code if absent
}

export const kPieceCodes = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

export function pieceStones(): Stone[] {
    return kPieceCodes.map((code) => ({ code, label: pieceName(code) }));
}

// What is being dragged: a stone of the palette, or one that leaves its square.
export type Dragged = MutableRef<{ code: string; from: string | null } | null>;
