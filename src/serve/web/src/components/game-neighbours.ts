// The pages before and after one of a list, and the games before and after an open one.
import { call } from "../api";
import { go } from "../state";
import type { GameRow, Hit, Page } from "../types";
import { openGame } from "./listed-game";
import type { Search } from "./game-search";

// The page before each page that was visited. It is kept because a cursor leads only forwards.
const before = new Map<string, string>();

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
    const to = (
        game: GameRow | Hit | undefined,
        cursor: string | null | undefined,
        which: 0 | -1,
    ) =>
        game
            ? () => open(game, search.cursor)
            : typeof cursor === "string"
              ? () => void onPage(cursor, which)
              : null;
    return { previous: to(games[at - 1], earlier, -1), next: to(games[at + 1], after, 0) };
}
