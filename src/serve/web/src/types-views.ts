// The shapes of /api/v1 that the views Repetitions, Player and Novelty read.
import type { GameRow, Side } from "./types";

export interface Repetition extends GameRow {
    key: string;
    fen: string;
    count: number;
    plies: number[];
    third_ply: number | null;
    fifth_ply: number | null;
    played_on: number | null;
    claimant: Side | null;
    ended: boolean | null;
    checks: Side | "both" | null;
    // Only in answers about missed claims:
    announcer?: Side | null;
    announced_ply?: number | null;
    announced_move?: string | null;
}

// Results of a player.
export interface Results {
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // percent
}

export interface PlayerName {
    name: string;
    games: number;
    first_year?: number | null;
    last_year?: number | null;
}

export interface PlayerOpening extends Results {
    colour: Side;
    eco: string | null;
    name: string | null;
}

export interface PlayerReport {
    names: PlayerName[];
    alike: PlayerName[];
    against: string | null;
    white: Results;
    black: Results;
    years: (Results & { year: number })[];
    opponents: (Results & { from: number | null })[];
    ratings: { month: string; rating: number; games: number }[];
    openings: PlayerOpening[];
}

export interface RepertoireRow extends Results {
    depth: number; // plies before the move
    san: string;
    own: boolean;
    share: number;
    last_year: number | null;
    eco: string | null;
    opening: string | null;
}

export interface WeakMove {
    san: string;
    games: number;
    white: number;
    draws: number;
    black: number;
    against: Results | null;
}

export interface WeakSpot extends Results {
    line: string;
    fen: string;
    last_year: number | null;
    eco: string | null;
    opening: string | null;
    moves: WeakMove[];
}

export interface Preparation extends Results {
    names: string[];
    color: Side;
    last_year: number | null;
    repertoire: RepertoireRow[];
    weak_spots: WeakSpot[];
}

export interface Novelty {
    game: number;
    white: string | null;
    black: string | null;
    date: string | null;
    result: string | null;
    ply: number | null;
    fen: string | null;
    games: number;
    last: GameRow | null;
    last_ref: string | null; // the ref of the latest game, for games/{ref}
    novelty: { ply: number; san: string; uci: string } | null;
    played: { san: string; uci: string; games: number; white: number; draws: number; black: number }[];
    ended: number;
    error?: string | null;
}
