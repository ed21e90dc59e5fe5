// The answers of /api/v1 and its filters. Made from the server's description; to write it anew:
//     tests/serve/page_types.py build/src/fendex --write

export interface Error {
    error: ErrorDetails;
}

export interface ErrorDetails {
    code: string; // for programs
    message: string; // for people
    field: string | null; // the parameter that is wrong
    detail: string | null; // the part of it that is wrong: side, castling ... of a FEN
    text: string | null; // the word of it that is wrong
}

export interface Position {
    fen: string;
    epd: string;
    key: string;
    variant: string;
    dialects: Record<string, string>; // the FEN in the other dialects
    status: string; // ongoing, check, checkmate, stalemate ...
    side: "white" | "black";
    check: boolean;
    legal_moves: number; // how many there are
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    fifty_moves: boolean;
    seventy_five_moves: boolean;
    insufficient_material: boolean;
    turn: "white" | "black"; // the same as side
    pockets: Pockets | null; // in Crazyhouse
    checks: ChecksGiven | null; // in Three-check
    opening: Opening | null;
    start: string; // the FEN before the line
    line: PlayedMove[]; // the moves of play and moves
    legal: LegalMove[];
}

export interface Pockets {
    white: string; // QRBNP
    black: string;
}

export interface ChecksGiven {
    white: number;
    black: number;
}

export interface Opening {
    eco: string;
    name: string;
}

export interface PlayedMove {
    san: string;
    uci: string;
    fen: string; // after it
    opening: Opening | null; // of the position after it
}

export interface LegalMove {
    san: string;
    uci: string;
    fen: string; // after it
    from: string | null; // null for a drop
    to: string; // in Chess960, castling goes to the rook
    promotion: string | null;
    drop: string | null; // the dropped piece
}

export interface Game {
    database?: string; // if several databases are served
    game_id: number;
    ref: string; // names the game in addresses: games/{ref}
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
    plies: number;
    variant: string;
    tags: Record<string, string>;
    fen: string | null; // of the start; null if the game cannot be replayed
    moves: string[] | null; // SAN
    record_evals: (Verdict | null)[] | null; // of the positions after the moves, from records; null if none is known
    comment: string | null; // before the first move
    line: GameMove[] | null;
    errors?: ImportError[];
}

export interface GameMove {
    ply: number;
    san: string;
    uci: string;
    fen: string;
    epd: string;
    key: string;
    clock: number | null; // seconds
    emt: number | null; // seconds that the move took
    eval: string | null; // 0.31, or #-3 for mate
    comment: string | null;
    nags: (number | string)[]; // numbers; glyphs without a number as texts
    variations: Variation[]; // that replace this move
    occurrence?: number; // of the position in the game
    reached?: number; // games that reached the position
}

export interface Variation {
    ply: number; // of its first move
    comment: string | null;
    line: GameMove[];
}

export interface ImportError {
    line: number;
    ply: number | null;
    severity: "error" | "warning";
    reason: string;
    text: string;
}

export interface Stats {
    databases: DatabaseSummary[];
    games: number;
    plies: number;
    version: string; // changes with every commit
}

export interface DatabaseSummary {
    name: string;
    id: string;
    games: number;
    plies: number;
    positions: number;
    distinct_positions?: number; // not of a cluster
    players: number;
    joined_names: number;
    sources: number;
    errors: number;
    warnings: number;
    segments?: number; // not of a cluster
    variation_segments?: number; // not of a cluster
    postings?: number; // not of a cluster
    unindexed_games?: number; // not of a cluster
    annotated_games?: number; // not of a cluster
    annotation_bytes?: number; // not of a cluster
    records: number; // positions with evaluations
    bytes?: number; // not of a cluster
    free_bytes?: number; // not of a cluster
    bytes_per_ply?: number; // not of a cluster
    write_amplification?: number; // not of a cluster
    fingerprint: string;
    ply_rows?: string; // not of a cluster
    variants: Record<string, number>;
}

export interface Hit {
    database?: string; // if several databases are served
    game_id: number;
    ref: string; // names the game in addresses: games/{ref}
    ply: number;
    plies: number[];
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
    san: string | null; // the next move
    uci: string | null;
    variation?: boolean; // the hit is in a variation
    line?: string | null; // the moves of the variation
    steps?: number[]; // the plies of the steps, and of each move of a route, in the match that begins first
}

export interface HitCount {
    games: number;
    occurrences: number;
    alike?: AlikeName[]; // players not counted, but perhaps those of the filter
}

export interface Tree {
    fen: string;
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
    occurrences: number;
    moves: TreeMove[];
    ended: Results; // games that ended here
    topGames: GameFromHere[];
    recentGames: GameFromHere[];
    opening: Opening | null;
    alike?: AlikeName[]; // players not counted, but perhaps those of the filter
}

export interface Results {
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
}

export interface TreeMove {
    uci: string; // castling as king takes rook
    san: string;
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
    averageRating: number | null;
    performance: number | null;
    last_year: number | null;
    reached: number; // games that got to the position by any moves
    opening: Opening | null;
    eval: Verdict | null; // of the position after the move
    topGames: NamedGame[];
    played: string; // UCI as in a position's legal moves
}

export interface Verdict {
    cp?: number; // centipawns, White's view
    mate?: number; // moves to mate; negative: Black mates
    depth: number;
}

export interface NamedGame {
    database?: string;
    game_id: number;
    ref: string;
    winner: "white" | "black" | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    white: RatedPlayer;
    black: RatedPlayer;
    year: number | null;
    date: string | null;
    event: string | null;
}

export interface GameFromHere {
    uci: string | null; // what was played here; null: the game ended
    database?: string;
    game_id: number;
    ref: string;
    winner: "white" | "black" | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    white: RatedPlayer;
    black: RatedPlayer;
    year: number | null;
    date: string | null;
    event: string | null;
}

export interface RatedPlayer {
    name: string | null;
    rating: number | null;
}

export interface Repetition {
    database?: string; // if several databases are served
    game_id: number;
    ref: string; // names the game in addresses: games/{ref}
    key: string;
    fen: string;
    count: number;
    plies: number[];
    third_ply: number | null;
    fifth_ply: number | null;
    played_on: number | null;
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
    claimant: "white" | "black" | null;
    ended: boolean | null;
    checks: "white" | "black" | "both" | null;
    announcer?: "white" | "black" | null;
    announced_ply?: number | null;
    announced_move?: string | null;
    announced_plies?: number[] | null;
    cp?: number | null; // with missed: what a record says of the position, from White's view
    mate?: number | null;
    depth?: number | null;
}

export interface GameRow {
    database?: string; // if several databases are served
    game_id: number;
    ref: string; // names the game in addresses: games/{ref}
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
    plies: number;
}

export interface Count {
    games: number;
    alike?: AlikeName[]; // players not counted, but perhaps those of the filter
}

export interface Evaluations {
    fen: string;
    depth: number | null;
    knodes: number | null;
    pvs: EvaluatedLine[];
    others: Search[]; // with another number of PVs, best first
}

export interface Search {
    depth: number | null;
    knodes: number | null;
    pvs: EvaluatedLine[];
}

export interface EvaluatedLine {
    cp?: number; // centipawns, White's view
    mate?: number; // moves to mate; negative: Black mates
    uci: string; // castling as king takes rook
    san: string;
}

export interface PlayerRow {
    name: string;
    games: number;
    white: number;
    black: number;
    first_year: number | null;
    last_year: number | null;
}

export interface AlikeName {
    name: string;
    games: number; // that fit the other conditions
    of: string; // a name that the filter takes
}

export interface NamePair {
    database?: string;
    score: number; // 1 to 99
    name: string;
    canonical: string; // the name that would stand for it
    reason: string | null; // how the names are alike
    against: string | null; // what speaks against the pair
    common_opponents: number;
    games: number;
    canonical_games: number;
    first_year: number | null;
    last_year: number | null;
    canonical_first_year: number | null;
    canonical_last_year: number | null;
    rating: number | null; // the mean
    canonical_rating: number | null;
}

export interface JoinedName {
    database?: string;
    kind: "player" | "event" | "site";
    name: string;
    canonical: string; // the name that stands for it
    joined: string; // when
    origin: string; // by which options
}

export interface Player {
    names: NameGames[]; // the player
    alike: NameGames[]; // not counted, but perhaps the same player
    against: string | null;
    white: Score;
    black: Score;
    years: YearScore[];
    opponents: OpponentsScore[]; // by rating
    ratings: MonthRating[];
    openings: OpeningScore[];
}

export interface NameGames {
    name: string;
    games: number;
    spellings?: string[]; // names that are joined to this one
}

export interface Score {
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
}

export interface YearScore {
    year: number | null;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
}

export interface OpponentsScore {
    from: number | null;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
}

export interface MonthRating {
    month: string; // 2004-05
    rating: number;
    games: number;
}

export interface OpeningScore {
    colour: "white" | "black";
    eco: string | null;
    name: string | null;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
}

export interface Preparation {
    names: string[];
    color: "white" | "black";
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
    last_year: number | null;
    repertoire: PreparedMove[];
    weak_spots: WeakSpot[];
    recent: number[]; // games
    lost: number[]; // games
    alike: NameGames[]; // not counted, but perhaps the same player
    recent_refs: string[];
    lost_refs: string[];
}

export interface PreparedMove {
    depth: number;
    san: string;
    own: boolean;
    share: number; // in percent
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
    last_year: number | null;
    eco: string | null;
    opening: string | null;
    eval: Verdict | null; // of the position after it
}

export interface WeakSpot {
    line: string;
    fen: string;
    games: number;
    wins: number;
    draws: number;
    losses: number;
    score: number | null; // in percent
    last_year: number | null;
    eco: string | null;
    opening: string | null;
    eval: Verdict | null; // of the position
    moves: OtherMove[];
}

export interface OtherMove {
    san: string;
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
    against: PlayerResults;
    eval: Verdict | null; // of the position after it
}

export interface PlayerResults {
    games: number;
    wins: number;
    draws: number;
    losses: number;
}

export interface OpeningRow {
    eco: string | null;
    opening: string | null;
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
    score: number | null; // White's, in percent
    average_rating: number | null;
    first_year: number | null;
    last_year: number | null;
}

export interface EventRow {
    event: string; // ? is the row of the games whose event is unknown
    games: number;
    players: number; // different ones that are known
    sites: number; // the same; web addresses do not count
    average_rating: number | null;
    first_year: number | null;
    last_year: number | null;
}

export interface NoveltyRow {
    game: number; // its number in the PGN
    white: string | null;
    black: string | null;
    date: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    ply: number | null;
    fen: string | null;
    key: string | null;
    games: number;
    last: LastGame | null;
    novelty: NewMove | null;
    played: MoveResults[];
    ended: number;
    eval: Verdict | null; // of the position
    last_ref: string | null; // of the latest game
    errors: ImportError[];
}

export interface LastGame {
    database?: string;
    game_id: number;
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
}

export interface NewMove {
    ply: number;
    san: string;
    uci: string;
    eval: Verdict | null; // of the position after it
}

export interface MoveResults {
    san: string;
    uci: string;
    white: number; // White's wins
    draws: number;
    black: number;
    games: number;
    eval: Verdict | null; // of the position after it
}

export interface RepertoireGame {
    database?: string; // if several databases are served
    game_id: number;
    ref: string; // names the game in addresses: games/{ref}
    left_by: "player" | "opponent" | null; // null: the game ended within the lines, or they end there
    ply: number; // of its last position that the lines have
    played: string | null; // the game's next move
    expected: string[]; // the moves of the lines there
    fen: string;
    points: number | null; // of the player: 1, 0.5 or 0
    white: string | null;
    black: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    date: string | null; // as the game has it: 1999.05.??
    event: string | null;
    site: string | null;
    round: string | null;
    white_elo: number | null;
    black_elo: number | null;
    eco: string | null; // the tag ECO
}

export interface RepertoireGap {
    fen: string;
    san: string; // the reply
    games: number; // that played it there
    share: number; // how likely it is, in percent
    line: string; // the moves to the position
}

export interface RepertoirePosition {
    number: number; // from 1, in the order of the lines
    before: number | null; // the position from which the lines reach it first
    san: string | null; // the move from there
    fen: string;
    games: number; // that reached it
    share: number; // how likely it is, in percent
    covered: number | null; // percent of the opponents' moves there; null where the player moves, and if the lines end there or no game went on
    line: string; // the moves to it
}

export interface RepertoireContradiction {
    fen: string;
    moves: string[];
    line: string; // the moves to the position
}

export interface Page<Row> {
    items: Row[];
    next: string | null; // the cursor of the next page
    total: number | null; // rows of all pages, if known
}

// prettier-ignore
export const kFilterFields = [
    { name: "white", type: "string", repeatable: false, choices: [] },
    { name: "black", type: "string", repeatable: false, choices: [] },
    { name: "player", type: "string", repeatable: true, choices: [] },
    { name: "event", type: "string", repeatable: false, choices: [] },
    { name: "site", type: "string", repeatable: false, choices: [] },
    { name: "eco", type: "string", repeatable: false, choices: [] },
    { name: "opening", type: "string", repeatable: false, choices: [] },
    { name: "opening-eco", type: "string", repeatable: false, choices: [] },
    { name: "result", type: "string", repeatable: false, choices: ["1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"] },
    { name: "since", type: "string", repeatable: false, choices: [] },
    { name: "until", type: "string", repeatable: false, choices: [] },
    { name: "min-elo", type: "integer", repeatable: false, choices: [] },
    { name: "max-elo", type: "integer", repeatable: false, choices: [] },
    { name: "white-elo", type: "string", repeatable: false, choices: [] },
    { name: "black-elo", type: "string", repeatable: false, choices: [] },
    { name: "time-control", type: "string", repeatable: true, choices: ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"] },
    { name: "mode", type: "string", repeatable: false, choices: ["rated", "casual"] },
    { name: "variant", type: "string", repeatable: false, choices: [] },
    { name: "termination", type: "string", repeatable: false, choices: [] },
    { name: "min-plies", type: "integer", repeatable: false, choices: [] },
    { name: "max-plies", type: "integer", repeatable: false, choices: [] },
    { name: "swing", type: "integer", repeatable: false, choices: [] },
    { name: "white-swing", type: "integer", repeatable: false, choices: [] },
    { name: "black-swing", type: "integer", repeatable: false, choices: [] },
    { name: "source", type: "string", repeatable: false, choices: [] },
    { name: "tag", type: "string", repeatable: true, choices: [] },
] as const;
