// Squares, and the text of positions. The rules of chess are not here: /api/v1/position has them.
import { t, type Word } from "../i18n";
import type { Position } from "../types";

export type Side = Position["turn"];

export const kFiles = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;

// Returns the board of a FEN as eight ranks, without the pocket and marks of promotion. Returns
// eight empty ranks for a text that is not a FEN: an address may hold anything.
export function boardOf(fen: string): string {
    const board = (fen.trim().split(/[ _]/)[0] ?? "").replace(/\[.*$/, "").replace(/~/g, "");
    const ranks = board.split("/").slice(0, 8);
    if (ranks.length < 8) return Array(8).fill("8").join("/");
    return ranks.map((rank) => (/^[1-8kqrbnp]*$/i.test(rank) ? rank : "8")).join("/");
}

export function sideOf(fen: string): Side {
    return /^\S+[ _]+b/.test(fen.trim()) ? "black" : "white";
}

// The column and the row of a square on a board that is drawn, from 0 at the upper left.
export function cellOf(square: string, orientation: Side): [number, number] {
    const file = kFiles.indexOf(square[0] as "a");
    const rank = Number(square[1]) - 1;
    return orientation === "white" ? [file, 7 - rank] : [7 - file, rank];
}

// Returns the place of an element over a square of the board, in CSS.
export function placeOnBoard(square: string, orientation: Side): { left: string; top: string } {
    const [x, y] = cellOf(square, orientation);
    return { left: `${x * 12.5}%`, top: `${y * 12.5}%` };
}

// The square that an arrow key leads to, which is the same at the edge; null for other keys.
export function squareBeside(square: string, key: string, orientation: Side): string | null {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
        key
    ];
    if (!step) return null;
    const forward = orientation === "white" ? 1 : -1;
    const file = kFiles[kFiles.indexOf(square[0] as "a") + step[0]! * forward];
    const rank = Number(square[1]) + step[1]! * forward;
    return file && rank >= 1 && rank <= 8 ? `${file}${rank}` : square;
}

// Returns the pieces of a FEN by square: {e1: "K", ...}.
export function piecesOf(fen: string): Record<string, string> {
    const pieces: Record<string, string> = {};
    boardOf(fen)
        .split("/")
        .forEach((rank, index) => {
            let file = 0;
            for (const letter of rank) {
                if (letter >= "1" && letter <= "8") file += Number(letter);
                else pieces[`${kFiles[file++]}${8 - index}`] = letter;
            }
        });
    return pieces;
}

// Returns the pieces in hand of a FEN with pockets: ".../RNBQKBNR/Pp" or "...[Pp]".
export function pocketsOf(fen: string): { white: string; black: string } | null {
    const board = fen.trim().split(/[ _]/)[0] ?? "";
    const pocket = /\[([a-z]*)\]$/i.exec(board)?.[1] ?? board.split("/")[8];
    if (pocket === undefined) return null;
    return { white: pocket.replace(/[a-z]/g, ""), black: pocket.replace(/[A-Z]/g, "") };
}

// Returns the eight ranks of a board by square. A code may be any text, such as "[Qq]" in a
// pattern.
export function boardText(codes: Record<string, string>, empty?: (n: number) => string): string {
    const ranks: string[] = [];
    for (let rank = 8; rank >= 1; rank--) {
        let text = "";
        let blanks = 0;
        const flush = () => {
            if (blanks > 0) text += empty ? empty(blanks) : blanks;
            blanks = 0;
        };
        for (const file of kFiles) {
            const code = codes[`${file}${rank}`];
            if (!code) blanks++;
            else {
                flush();
                text += code;
            }
        }
        flush();
        ranks.push(text);
    }
    return ranks.join("/");
}

// Returns the name in the sprite: "K" -> "wk".
export function spriteName(piece: string): string {
    return (piece === piece.toUpperCase() ? "w" : "b") + piece.toLowerCase();
}

const names: Record<string, Word> = {
    k: "king",
    q: "queen",
    r: "rook",
    b: "bishop",
    n: "knight",
    p: "pawn",
};

// Returns "white king", for screen readers.
export function pieceName(piece: string): string {
    const word = names[piece.toLowerCase()];
    if (!word) return piece;
    return t(piece === piece.toUpperCase() ? "whitePiece" : "blackPiece", { piece: t(word) });
}

// Returns the letter of a piece in the user's language; "" for a pawn.
export function pieceLetter(piece: string): string {
    const index = "KQRBN".indexOf(piece.toUpperCase());
    return index < 0 ? "" : t("pieceLetters")[index]!;
}

// Returns SAN with the piece letters of the user's language: Nf3, Sf3.
export function sanText(san: string): string {
    return san.replace(/[KQRBN]/g, pieceLetter);
}

// Replaces the piece letters of the user's language by those of SAN.
export function sanOf(text: string): string {
    const letters = t("pieceLetters");
    return text.replace(/[A-Z]/g, (letter) => {
        const index = letters.indexOf(letter);
        return index < 0 ? letter : "KQRBN"[index]!;
    });
}

// Returns the squares from and to which a UCI move goes; `from` is null for a drop.
export function endsOf(uci: string): { from: string | null; to: string } {
    if (uci[1] === "@") return { from: null, to: uci.slice(2, 4) };
    return { from: uci.slice(0, 2), to: uci.slice(2, 4) };
}
