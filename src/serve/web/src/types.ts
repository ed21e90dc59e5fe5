// The shapes of /api/v1, as far as the page reads them.

export type Side = "white" | "black";

export interface OpeningName {
    eco: string;
    name: string;
}

export interface LegalMove {
    san: string;
    uci: string;
    from: string | null; // null: a drop
    to: string;
    promotion: string | null;
    drop: string | null;
    fen: string; // the position after the move
}

export interface PlayedMove {
    san: string;
    uci: string;
    fen: string;
    opening?: OpeningName | null; // of the position after the move
}

export interface Position {
    fen: string;
    epd: string;
    key: string;
    variant: string;
    turn: Side;
    dialects: Record<string, string>;
    status: string;
    pockets: Record<Side, string> | null;
    checks: unknown;
    opening: OpeningName | null;
    line: PlayedMove[];
    start: string;
    legal: LegalMove[];
}

export interface TreePlayer {
    name: string;
    rating: number | null;
}

export interface TreeGame {
    id: number;
    ref?: string;
    database?: string;
    uci?: string;
    winner: Side | null;
    result?: string;
    white: TreePlayer;
    black: TreePlayer;
    year: number | null;
    date?: string;
}

export interface Score {
    white: number;
    draws: number;
    black: number;
    games: number;
}

export interface TreeMove extends Score {
    uci: string; // castling: king takes rook
    played?: string; // castling: the king's own squares
    san: string;
    averageRating: number | null;
    performance: number | null;
    lastYear?: number | null;
    reached?: number | null; // games that reached the position after it by any move order
    opening: OpeningName | null;
}

export interface Tree extends Score {
    fen: string;
    occurrences: number;
    moves: TreeMove[];
    ended?: Score; // games that ended in this position
    topGames?: TreeGame[];
    recentGames?: TreeGame[];
    opening: OpeningName | null;
}

// A row of games, find and other lists.
export interface GameRow {
    game_id: number;
    ref?: string;
    database?: string;
    white: string | null;
    black: string | null;
    result: string | null;
    date: string | null;
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null;
    plies?: number | number[];
    ply?: number;
    san?: string | null;
    uci?: string | null;
}

export interface Page<T> {
    items: T[];
    next: string | null;
    total: number | null;
}

export interface GameMove {
    ply: number;
    san: string;
    uci: string;
    key?: string;
    fen: string;
    epd?: string;
    clock?: number | null;
    eval?: string | null;
    comment?: string | null;
    nags?: number[];
    occurrence?: number;
    reached?: number;
    variations?: Variation[];
}

export interface Variation {
    ply: number;
    moves: GameMove[];
    comment?: string | null;
}

export interface Game extends Omit<GameRow, "plies"> {
    plies: number;
    variant: string;
    fen: string;
    tags: Record<string, string>;
    moves: GameMove[];
    comment?: string | null;
    errors?: { reason?: string }[];
}

export interface Stats {
    databases: { name: string; games: number; plies: number }[];
    games: number;
    plies: number;
    version: string;
}

// Returns the ref of a game, for games/{ref}.
export function ref(game: { ref?: string; game_id?: number; id?: number }): string {
    return game.ref ?? String(game.game_id ?? game.id);
}
