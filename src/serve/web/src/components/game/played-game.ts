// A game whose moves are known.
import type { Game, GameMove } from "../../types";
import { scoreTold, type Score } from "../Evaluation";

// A game that the server could replay. It has no moves of games by rules that it does not know.
export type PlayedGame = Game & { fen: string; line: GameMove[] };

export function isPlayed(game: Game): game is PlayedGame {
    return game.fen !== null && game.line !== null;
}

// Returns the score after a move of the main line: the game's own, else that of a record.
export function scoreAfter(game: PlayedGame, index: number): Score | null {
    return scoreTold(game.line[index]?.eval ?? null) ?? game.record_evals?.[index] ?? null;
}

// 3723 -> "1:02:03"
export function clockText(seconds: number): string {
    const whole = Math.floor(seconds);
    const h = Math.floor(whole / 3600);
    const m = Math.floor((whole % 3600) / 60);
    const pad = (n: number) => String(n).padStart(2, "0");
    return `${h > 0 ? `${h}:${pad(m)}` : m}:${pad(whole % 60)}`;
}
