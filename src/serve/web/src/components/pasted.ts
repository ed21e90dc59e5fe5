// What people paste to see it: a FEN or only its board, the address of an analysis board or of a
// game, the name of an opening, moves, or a PGN game.
import { ApiError, call } from "../api";
import { go } from "../state";
import type { GameRow, Page, Position } from "../types";
import { isOpeningName, lineOfOpening } from "./opening-lines";
import { piecesOf } from "./squares";

const kBoard = /^(\S*?\/){7}[^\s/]+$/;

// Returns the start and the moves of the first game of a PGN text, without comments and variations.
export function firstGame(text: string): { fen: string; variant: string; moves: string } {
    const tag = (name: string) =>
        new RegExp(`^\\s*\\[\\s*${name}\\s+"([^"]*)"\\s*\\]`, "im").exec(text)?.[1] ?? "";
    const body = text.replace(/^\s*(\[[^\]]*\]\s*)*/, "").split(/^\s*\[\w+\s+"/m)[0]!;
    let moves = "";
    let depth = 0;
    for (let i = 0; i < body.length; i++) {
        const c = body[i]!;
        if (c === "{") i = ends(body, "}", i);
        else if (c === ";") i = ends(body, "\n", i);
        else if (c === "(") depth++;
        else if (c === ")") depth--;
        else if (depth === 0) {
            moves += c;
            continue;
        }
        moves += " ";
    }
    moves = moves
        .replace(/\$\d+|[!?]+/g, " ")
        .replace(/\s+/g, " ")
        .replace(/ (1-0|0-1|1\/2-1\/2|\*).*$/, "")
        .trim();
    return {
        fen: tag("FEN"),
        variant: tag("Variant")
            .replace(/[^a-z0-9]/gi, "")
            .toLowerCase(),
        moves,
    };
}

function ends(text: string, mark: string, from: number): number {
    const at = text.indexOf(mark, from);
    return at < 0 ? text.length : at;
}

// Completes a FEN of the board alone: White is to move, and may castle with each rook that stands
// at home with the king.
export function completeFen(text: string): string {
    if (!kBoard.test(text)) return text;
    const on = piecesOf(text);
    const rights = [
        on.e1 === "K" && on.h1 === "R" && "K",
        on.e1 === "K" && on.a1 === "R" && "Q",
        on.e8 === "k" && on.h8 === "r" && "k",
        on.e8 === "k" && on.a8 === "r" && "q",
    ].filter(Boolean);
    return `${text} w ${rights.join("") || "-"} - 0 1`;
}

// Opens a game of Lichess if the database has it. Returns false if the text is not its address.
async function openLichessGame(text: string): Promise<boolean> {
    const found =
        /^(?:https?:\/\/)?(?:www\.)?lichess\.org\/(\w{8})(?:\w{4})?(?:\/(white|black))?(?:#(\d+))?$/.exec(
            text,
        );
    if (!found || /^(analysis|training|practice)$/.test(found[1]!)) return false;
    const { items } = await call<Page<GameRow>>("games", [
        ["tag", `Site=https://lichess.org/${found[1]}`],
        ["limit", 1],
    ]);
    if (!items[0]) throw new ApiError(404, "game_not_here", found[1]!, null);
    go({
        view: "games",
        game: items[0].ref,
        ply: found[3] ?? null,
        flip: found[2] === "black",
    });
    return true;
}

// Shows the opening of a name. Returns false if the text is none.
async function showOpening(text: string): Promise<boolean> {
    if (!isOpeningName(text)) return false;
    const line = await lineOfOpening(text);
    if (!line) throw new ApiError(404, "opening_not_here", text, null);
    const play = line.map((move) => move.uci).join(",");
    go({ view: "explorer", fen: null, variant: null, play, at: null });
    return true;
}

// Shows what a text means. The server reads positions and moves; the address changes only if they
// are valid. Throws ApiError.
export async function showPasted(text: string, variant: string): Promise<void> {
    const clean = text.trim();
    if (await openLichessGame(clean)) return;
    if (await showOpening(clean)) return;
    const isAddress = /^(https?:\/\/|(www\.)?(lichess\.org|chess\.com)\/)/i.test(clean);
    // A FEN has eight ranks; anything else is taken for moves.
    const isFen = isAddress || /^(\S*\/){7}\S+/.test(clean);
    const game = isFen
        ? { fen: isAddress ? clean : completeFen(clean), moves: "", variant: "" }
        : firstGame(clean);
    const position = await call<Position>("position", [
        ["fen", game.fen],
        ["moves", game.moves],
        ["variant", game.variant || variant],
    ]);
    go({
        view: "explorer",
        fen: game.fen === "" ? null : position.start,
        variant: position.variant === "standard" ? null : position.variant,
        play: position.line.map((move) => move.uci).join(","),
        at: null,
    });
}
