// The line on the board, from the address: what was played, where in it we are, what may be
// played next. Positions that are known already are shown without waiting for the server.
import { useApi, type ApiError } from "../api";
import type { LegalMove, OpeningName, PlayedMove, Position } from "../types";

const kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Moves that the server has told us about, by the whole line that leads to them.
const known = new Map<string, PlayedMove>();
const kKnown = 20000;

export interface Line {
    variant: string; // "" for standard
    base: [string, string][]; // the part of a query that says where the line begins
    play: string[];
    at: number;
    start: string; // FEN before the line
    moves: PlayedMove[];
    fen: string; // of the position shown
    position: Position | undefined; // absent while the server is asked
    legal: LegalMove[];
    opening: OpeningName | null; // the last that the line has had
    error: ApiError | undefined;
    again: () => void; // asks once more, after an error
}

function learn(id: string, ucis: readonly string[], move: PlayedMove): void {
    if (known.size > kKnown) known.clear();
    known.set(`${id}|${ucis.join(",")}`, move);
}

// Of a move that may be played we know less than of one that was.
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
        });

    const start = position?.start ?? told?.start ?? (fen ? fen.replace(/_/g, " ") : kStart);
    const moves: PlayedMove[] = [];
    for (let n = 1; n <= play.length; n++) {
        const move = known.get(`${id}|${play.slice(0, n).join(",")}`);
        moves.push(move ?? { san: play[n - 1]!, uci: play[n - 1]!, fen: "" });
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
        again: here.again,
    };
}

// The address after a move: the next move of the line is walked to, another one replaces the rest.
export function afterMove(line: Line, uci: string): { play: string; at: number | null } {
    const { play, at } = line;
    if (play[at] === uci)
        return { play: play.join(","), at: at + 1 === play.length ? null : at + 1 };
    return { play: [...play.slice(0, at), uci].join(","), at: null };
}
