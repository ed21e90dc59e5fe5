// The line on the board, as the address has it: its moves, the ply that is shown, and the legal
// moves there. Known positions are shown without waiting for the server.
import { useApi, type ApiError } from "../api";
import type { LegalMove, Opening, PlayedMove, Position } from "../types";

const kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Moves that the server has returned, by the whole line up to them.
const known = new Map<string, PlayedMove>();
const kKnown = 20000;

export interface Line {
    variant: string; // "" for standard
    base: [string, string][]; // the parameters for the beginning of the line
    play: string[];
    at: number;
    start: string; // FEN before the line
    moves: PlayedMove[];
    fen: string; // of the position shown
    position: Position | undefined; // absent while it is loading
    legal: LegalMove[];
    opening: Opening | null; // the last one of the line
    error: ApiError | undefined;
    again: () => void; // calls once more, after an error
}

function learn(id: string, ucis: readonly string[], move: PlayedMove): void {
    if (known.size > kKnown) known.clear();
    known.set(`${id}|${ucis.join(",")}`, move);
}

// Keeps a legal move, unless it is known already: a played move has more members.
function guess(id: string, ucis: readonly string[], move: PlayedMove): void {
    if (!known.has(`${id}|${ucis.join(",")}`)) learn(id, ucis, move);
}

let shown = kStart; // the last position that was shown, while a new one is not known

export function useLine(params: URLSearchParams): Line {
    const variant = params.get("variant") ?? "";
    const fen = params.get("fen") ?? "";
    const play = (params.get("play") ?? "").split(",").filter((uci) => uci !== "");
    const wanted = params.get("at");
    const at = wanted === null ? play.length : Math.min(Math.max(0, Math.trunc(Number(wanted)) || 0), play.length);
    const base: [string, string][] = [
        ["variant", variant],
        ["fen", fen],
    ];
    const here = useApi<Position>("position", [...base, ["play", play.slice(0, at).join(",")]]);
    const whole = useApi<Position>(at < play.length ? "position" : null, [
        ...base,
        ["play", play.join(",")],
    ]);

    const id = `${variant}|${fen}`;
    const position = here.loading ? undefined : here.data;
    const told = at < play.length ? (whole.loading ? undefined : whole.data) : position;
    for (const answer of [position, told])
        answer?.line.forEach((move, index) => learn(id, play.slice(0, index + 1), move));
    for (const move of position?.legal ?? [])
        guess(id, [...play.slice(0, at), move.uci], {
            san: move.san,
            uci: move.uci,
            fen: move.fen,
            opening: null,
        });

    const start = position?.start ?? told?.start ?? (fen ? fen.replace(/_/g, " ") : kStart);
    const moves: PlayedMove[] = [];
    for (let n = 1; n <= play.length; n++) {
        const move = known.get(`${id}|${play.slice(0, n).join(",")}`);
        moves.push(move ?? { san: play[n - 1]!, uci: play[n - 1]!, fen: "", opening: null });
    }
    const standard = variant === "" && fen === "";
    const fenHere =
        position?.fen ?? (at === 0 ? (standard || fen ? start : "") : moves[at - 1]!.fen);
    if (fenHere) shown = fenHere;
    const named = moves
        .slice(0, at)
        .reverse()
        .find((move) => move.opening);
    return {
        variant,
        base,
        play,
        at,
        start,
        moves,
        fen: shown,
        position,
        legal: position?.legal ?? [],
        opening: position?.opening ?? named?.opening ?? null,
        error: here.error ?? whole.error,
        again: () => {
            here.again();
            whole.again();
        },
    };
}

// Returns the address after a move. The next move of the line only moves along it; any other move
// replaces the rest of the line.
export function afterMove(line: Line, uci: string): { play: string; at: number | null } {
    const { play, at } = line;
    if (play[at] === uci)
        return { play: play.join(","), at: at + 1 === play.length ? null : at + 1 };
    return { play: [...play.slice(0, at), uci].join(","), at: null };
}
