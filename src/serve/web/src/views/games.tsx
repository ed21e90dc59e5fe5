// Games: a search with pages, also of the events of games, and the open game beside its board.
import { url, useApi, type Query } from "../api";
import { Diagram } from "../components/Diagram";
import { EventTable } from "../components/EventTable";
import { Failure } from "../components/Failure";
import { Field, FilterChips } from "../components/FilterChips";
import { GameList, openGame } from "../components/GameList";
import { GameView } from "../components/GameView";
import { openingText } from "../components/MoveTable";
import { count, number, t, type Word } from "../i18n";
import { filters, go, href } from "../state";
import type { Count, EventRow, GameRow, Hit, Page, Position } from "../types";
import type { View } from "./view";

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

function sortsOf(byEvent: boolean): [string, Word][] {
    return byEvent ? kEventSorts : kSorts;
}

// The page before each page that was visited. It is kept because a cursor leads only forwards.
const before = new Map<string, string>();

const Games: View = ({ address }) => {
    const { params } = address;
    const reference = params.get("game");
    const byEvent = params.get("by") === "event";
    return (
        <div class={`games ${reference ? "opened" : ""}`}>
            <h1 class="hidden">{t("games")}</h1>
            {reference && <GameView reference={reference} params={params} />}
            <Search
                key={byEvent ? "events" : "games"}
                params={params}
                byEvent={byEvent}
                selected={reference}
            />
        </div>
    );
};
export default Games;

// What the address asks for: the games or their events, how many there are, and the position that
// all the games had.
function useSearch(params: URLSearchParams, byEvent: boolean) {
    const here = params.has("here") && !byEvent;
    const usual = sortsOf(byEvent)[0]![0];
    const sort = params.get("sort") ?? usual;
    const cursor = params.get("cursor") ?? "";
    const play = (params.get("play") ?? "").split(",").filter((uci) => uci !== "");
    const at = params.get("at");
    const variant: [string, string] = ["variant", params.get("variant") ?? ""];
    const board: Query = [
        ["fen", params.get("fen") ?? ""],
        ["play", play.slice(0, at === null ? play.length : Number(at)).join(",")],
    ];
    const what: Query = [...(here ? board : []), variant, ...filters(params)];
    const position = useApi<Position>(here ? "position" : null, [variant, ...board]).data;
    const path = byEvent ? "events" : here ? "find" : "games";
    const list = useApi<Page<GameRow> | Page<Hit> | Page<EventRow>>(path, [
        ...what,
        ["sort", sort === usual ? "" : sort],
        ["limit", kPage],
        ["cursor", cursor],
    ]);
    const page = list.data;
    // A page has the total only if the server knows it without counting.
    const uncounted = page !== undefined && !list.other && page.total === null;
    const counted = useApi<Count>(uncounted ? path : null, [...what, ["count", true]]);
    const total = page?.total ?? (counted.other ? undefined : counted.data?.games);
    return { here, sort, cursor, what, position, list, total };
}

interface SearchProps {
    params: URLSearchParams;
    byEvent: boolean;
    selected: string | null;
}

function Search({ params, byEvent, selected }: SearchProps) {
    const { here, sort, cursor, what, position, list, total } = useSearch(params, byEvent);
    const page = list.data;
    return (
        <section class="search card" aria-label={t("games")}>
            <SearchHead total={total} sort={sort} here={here} byEvent={byEvent} what={what} />
            {here && position && (
                <a class="here-board" href={href({ view: "explorer" })}>
                    <Diagram
                        fen={position.fen}
                        orientation={params.has("flip") ? "black" : "white"}
                    />
                    <span>{position.opening ? openingText(position.opening) : t("position")}</span>
                </a>
            )}
            <FilterChips />
            <Failure error={list.error} again={list.again} />
            <div class={list.loading ? "waiting" : ""} aria-busy={list.loading}>
                {page && page.items.length === 0 && <p class="empty">{t("noGames")}</p>}
                {page && page.items.length > 0 && byEvent && (
                    <EventTable events={page.items as EventRow[]} />
                )}
                {page && page.items.length > 0 && !byEvent && (
                    <GameList
                        games={page.items as GameRow[] | Hit[]}
                        label={t("games")}
                        selected={selected}
                        compact={selected !== null}
                        link={(game) => ({ ...openGame(game), key: null })}
                    />
                )}
                {!page && list.loading && <p class="quiet">{t("loading")}</p>}
            </div>
            {page && (cursor !== "" || page.next) && (
                <Pages page={page} cursor={cursor} list={JSON.stringify([what, sort, byEvent])} />
            )}
        </section>
    );
}

function SearchHead(props: {
    total: number | null | undefined;
    sort: string;
    here: boolean;
    byEvent: boolean;
    what: Query;
}) {
    const { total, sort, here, byEvent, what } = props;
    const sorts = sortsOf(byEvent);
    return (
        <div class="search-head">
            <h2 aria-live="polite">
                {typeof total === "number"
                    ? byEvent
                        ? count(total, "oneEventFound", "eventsFound")
                        : count(total, "oneGameFound", "gamesFound")
                    : t("games")}
            </h2>
            <Field label={t("sortBy")}>
                <select
                    value={sort}
                    onChange={(event) => {
                        const to = event.currentTarget.value;
                        go({ sort: to === sorts[0]![0] ? null : to, cursor: null });
                    }}
                >
                    {sorts.map(([value, word]) => (
                        <option key={value} value={value}>
                            {t(word)}
                        </option>
                    ))}
                </select>
            </Field>
            <label class="check">
                <input
                    type="checkbox"
                    checked={byEvent}
                    onChange={(event) =>
                        go({ by: event.currentTarget.checked && "event", sort: null, cursor: null })
                    }
                />{" "}
                {t("groupByEvent")}
            </label>
            {!byEvent && (
                <label class="check">
                    <input
                        type="checkbox"
                        checked={here}
                        onChange={(event) =>
                            go({ here: event.currentTarget.checked, cursor: null })
                        }
                    />{" "}
                    {t("gamesWithPosition")}
                </label>
            )}
            <a
                class="button"
                href={url("export.pgn", [...what, ["sort", sort === "id" || byEvent ? "" : sort]])}
                download="games.pgn"
            >
                {t("download")}
            </a>
        </div>
    );
}

// The ways to other pages of a list, which `list` names.
function Pages(props: { page: Page<unknown>; cursor: string; list: string }) {
    const { page, cursor, list } = props;
    const previous = before.get(list + cursor);

    function on(): void {
        if (!page.next) return;
        before.set(list + page.next, cursor);
        go({ cursor: page.next });
        scrollTo({ top: 0 });
    }

    return (
        <nav class="pages" aria-label={t("games")}>
            {cursor !== "" && (
                <a class="button" href={href({ cursor: null })}>
                    {t("firstPage")}
                </a>
            )}
            {previous !== undefined && previous !== "" && (
                <button type="button" onClick={() => go({ cursor: previous })}>
                    {t("previousPage")}
                </button>
            )}
            <button type="button" disabled={!page.next} onClick={on}>
                {t("nextPage")}
            </button>
            <span class="quiet">{number(page.items.length)}</span>
        </nav>
    );
}
