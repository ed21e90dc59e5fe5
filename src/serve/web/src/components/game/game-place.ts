// Places in a game: the one in the address, what is known of it, and the way from it to the explorer.
import { href } from "../../state";
import type { GameMove } from "../../types";
import { scoreTold, type Score } from "../Evaluation";
import { lineThrough, wayTo } from "../tree";
import { scoreAfter, type PlayedGame } from "./played-game";

export function isStandard({ variant }: PlayedGame): boolean {
    return variant === "standard" || variant === "";
}

// Returns the number of the place's ply in the main line; for a place in a variation, that of the
// move that the variation replaces.
export function mainPly(place: string): number {
    return Number(place.split("-")[0]);
}

// Returns the place in the address, or the first position with the key in the address.
export function placeOf(game: PlayedGame, params: URLSearchParams): string {
    const ply = params.get("ply");
    if (ply !== null) {
        const main = Math.min(Math.max(0, parseInt(ply, 10) || 0), game.line.length);
        return ply.includes("-") ? ply : String(main);
    }
    const key = params.get("key");
    const found = key ? game.line.findIndex((move) => move.key === key) : -1;
    return String(found + 1);
}

// Returns the score of the position at a place. `move` leads to it.
export function scoreAt(game: PlayedGame, place: string, move: GameMove | null): Score | null {
    return place.includes("-")
        ? scoreTold(move?.eval ?? null)
        : scoreAfter(game, mainPly(place) - 1);
}

// Returns the address of the explorer with the moves to a place and those that follow it.
export function explorerLink(game: PlayedGame, place: string): string {
    const standard = isStandard(game);
    const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const line = lineThrough(game, place);
    const at = wayTo(game, place).length;
    return href({
        view: "explorer",
        variant: standard ? null : game.variant,
        fen: standard && game.fen === start ? null : game.fen,
        play: line.map((move) => move.uci).join(","),
        at: at === line.length ? null : at,
    });
}
