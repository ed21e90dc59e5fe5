// The list of the view Games: what the address asks for, and the games before and after an open one.
import { call, useApi, type Query } from "../api";
import type { Word } from "../i18n";
import { filters, go } from "../state";
import type { Count, EventRow, GameRow, Hit, Page, Position } from "../types";
import { openGame } from "./GameList";

const kSorts: [string, Word][] = [
    ["id", "sortId"],
    ["date", "sortDate"],
    ["elo", "sortElo"],
    ["plies", "sortPlies"],
];
const kEventSorts: [string, Word][] = [
    ["games", "sortGames"],
    ["name", "sortName"],
    ["date", "sortDate"],
    ["players", "sortPlayers"],
    ["rating", "sortElo"],
];
const kPage = 50;

export function sortsOf(byEvent: boolean): [string, Word][] {
    return byEvent ? kEventSorts : kSorts;
}

// The page before each page that was visited. It is kept because a cursor leads only forwards.
const before = new Map<string, string>();

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
    const what: Query = [...board, ...filters(params)];
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

function nameOf({ what, sort, byEvent }: Search): string {
    return JSON.stringify([what, sort, byEvent]);
}

// Returns the cursor of the page before, if it was visited; "" for the first one.
export function cursorBefore(search: Search): string | undefined {
    return before.get(nameOf(search) + search.cursor);
}

// Returns the cursor of the next page; null if there is none.
export function cursorAfter(search: Search): string | null {
    const next = search.list.other ? null : search.list.data?.next; // else of another page
    if (!next) return null;
    before.set(nameOf(search) + next, search.cursor);
    return next;
}

export interface Neighbours {
    previous: (() => void) | null;
    next: (() => void) | null;
}

// Returns the ways to the games before and after one of the list, also on other pages.
export function neighbours(search: Search, reference: string): Neighbours {
    const none = { previous: null, next: null };
    if (search.byEvent || search.list.other) return none;
    const games = (search.list.data?.items ?? []) as GameRow[] | Hit[];
    const at = games.findIndex((game) => game.ref === reference);
    if (at < 0) return none;
    const open = (game: GameRow | Hit, cursor: string) =>
        go({ ...openGame(game), ply: "ply" in game ? game.ply : null, key: null, cursor });
    const onPage = async (cursor: string, which: 0 | -1) => {
        const { items } = await call<Page<GameRow>>(search.path, [
            ...search.query,
            ["cursor", cursor],
        ]);
        const game = items.at(which);
        if (game) open(game, cursor);
    };
    const after = cursorAfter(search);
    const earlier = cursorBefore(search);
    const to = (game: GameRow | Hit | undefined, cursor: string | null | undefined, which: 0 | -1) =>
        game
            ? () => open(game, search.cursor)
            : typeof cursor === "string"
              ? () => void onPage(cursor, which)
              : null;
    return { previous: to(games[at - 1], earlier, -1), next: to(games[at + 1], after, 0) };
}
