// Games: a search with pages, also of the events of games, and the open game beside its board.
import { useState } from "preact/hooks";
import { Diagram } from "../components/Diagram";
import { EventTable } from "../components/EventTable";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GameHeads } from "../components/GameHeads";
import { GameList } from "../components/GameList";
import { openGame } from "../components/listed-game";
import { neighbours } from "../components/game-neighbours";
import { useSearch, type Search, type Shown } from "../components/game-search";
import { GameView } from "../components/GameView";
import { openingText } from "../components/opening-names";
import { ListPages } from "../components/ListPages";
import { SearchHead } from "../components/SearchHead";
import { t } from "../i18n";
import { href } from "../state";
import type { EventRow, GameRow, Hit } from "../types";
import type { View } from "./view";

const Games: View = ({ address: { params } }) => {
    const byEvent = params.get("by") === "event";
    // Lists of games and of events have nothing in common.
    return <Desk key={byEvent ? "events" : "games"} params={params} byEvent={byEvent} />;
};
export default Games;

function Desk({ params, byEvent }: { params: URLSearchParams; byEvent: boolean }) {
    const reference = params.get("game");
    const [shown, setShown] = useState<Shown | null>(null);
    const follow = reference !== null && params.has("follow");
    const search = useSearch(params, byEvent, follow ? shown : null);
    return (
        <div class={`games ${reference ? "opened" : ""}`}>
            <h1 class="hidden">{t("games")}</h1>
            {reference && (
                <GameView
                    reference={reference}
                    params={params}
                    beside={neighbours(search, reference)}
                    onShow={setShown}
                />
            )}
            <Found params={params} search={search} selected={reference} />
        </div>
    );
}

interface FoundProps {
    params: URLSearchParams;
    search: Search;
    selected: string | null;
}

// The list with what is above and below it.
function Found({ params, search, selected }: FoundProps) {
    const { position, list, cursor } = search;
    const page = list.data;
    return (
        <section class="search card" aria-label={t("games")}>
            <SearchHead {...search} follow={selected ? params.has("follow") : null} />
            {search.here && position && (
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
                {page && page.items.length > 0 && <List search={search} selected={selected} />}
                {!page && list.loading && <p class="quiet">{t("loading")}</p>}
            </div>
            {page && (cursor !== "" || page.next) && <ListPages search={search} />}
        </section>
    );
}

function List({ search, selected }: { search: Search; selected: string | null }) {
    const items = search.list.data?.items ?? [];
    if (search.byEvent) return <EventTable events={items as EventRow[]} sort={search.sort} />;
    return (
        <GameList
            games={items as GameRow[] | Hit[]}
            label={t("games")}
            selected={selected}
            link={(game) => ({ ...openGame(game), key: null })}
            heads={<GameHeads sort={search.sort} hits={search.here} />}
        />
    );
}
