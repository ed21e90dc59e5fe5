// What lists show of a game, and where its row leads.
import type { Changes } from "../state";
import type { GameFromHere, Hit, LastGame } from "../types";

// Returns "½–½" for "1/2-1/2".
export function resultText(result: string | null | undefined): string {
    if (!result || result === "*") return "*";
    return result.replace(/1\/2/g, "½").replace("-", "–");
}

// What a list shows of a game. Rows of games and of find have all of it.
export interface ListedGame extends LastGame, Partial<Pick<Hit, "ply" | "san" | "uci">> {
    ref: string;
    plies?: number | number[]; // the length of the game, or where the position is
}

export function rowOf(game: GameFromHere): ListedGame {
    return {
        game_id: game.game_id,
        ref: game.ref,
        white: game.white.name,
        black: game.black.name,
        white_elo: game.white.rating,
        black_elo: game.black.rating,
        result: game.result,
        date: game.date,
        event: game.event,
        site: null,
        round: null,
        eco: null,
        uci: game.uci,
    };
}

export function openGame(game: ListedGame): Changes {
    return { view: "games", game: game.ref, ply: game.ply };
}

export function winner(result: string | null | undefined): "white" | "black" | "draw" | "none" {
    if (result === "1-0") return "white";
    if (result === "0-1") return "black";
    return result === "1/2-1/2" ? "draw" : "none";
}
