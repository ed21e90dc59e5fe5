// The list of the view Games: what the address asks for.
import { useApi, type Query } from "../api";
import { conditions } from "../state";
import type { Count, EventRow, GameRow, Hit, Page, Position } from "../types";
import { sortsOf } from "./game-sorts";

const kPage = 50;

// The position on the board of the open game.
export interface Shown {
    fen: string;
    variant: string; // "" for standard
}

// Returns the position that the games must have had, as parameters of the API.
function boardOf(params: URLSearchParams, shown: Shown | null): Query {
    if (shown)
        return [
            ["fen", shown.fen],
            ["variant", shown.variant],
        ];
    const play = (params.get("play") ?? "").split(",").filter((uci) => uci !== "");
    const at = params.get("at");
    return [
        ["fen", params.get("fen") ?? ""],
        ["play", play.slice(0, at === null ? play.length : Number(at)).join(",")],
        ["variant", params.get("variant") ?? ""],
    ];
}

// What the address asks for: the games or their events, how many there are, and the position that
// all the games had. If `shown` is a position, that is the one.
export function useSearch(params: URLSearchParams, byEvent: boolean, shown: Shown | null) {
    const here = params.has("here") && !byEvent;
    const usual = sortsOf(byEvent)[0]![0];
    const sort = params.get("sort") ?? usual;
    const cursor = params.get("cursor") ?? "";
    const board: Query = here ? boardOf(params, shown) : [["variant", params.get("variant") ?? ""]];
    const what: Query = [...board, ...conditions(params)];
    const position = useApi<Position>(here ? "position" : null, board).data;
    const path = byEvent ? "events" : here ? "find" : "games";
    const query: Query = [...what, ["sort", sort === usual ? "" : sort], ["limit", kPage]];
    const list = useApi<Page<GameRow> | Page<Hit> | Page<EventRow>>(path, [
        ...query,
        ["cursor", cursor],
    ]);
    const page = list.data;
    // A page has the total only if the server knows it without counting.
    const uncounted = page !== undefined && !list.other && page.total === null;
    const counted = useApi<Count>(uncounted ? path : null, [...what, ["count", true]]);
    const total = page?.total ?? (counted.other ? undefined : counted.data?.games);
    return { here, byEvent, sort, cursor, what, path, query, position, list, total };
}

export type Search = ReturnType<typeof useSearch>;
