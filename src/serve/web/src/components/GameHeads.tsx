// The heads of a wide list of games, by which it is sorted.
import { t, type Word } from "../i18n";
import { go } from "../state";
import { sortedBy } from "./FiguresHead";

export function GameHeads({ sort, hits }: { sort: string; hits: boolean }) {
    const button = (by: string, text: Word, title: Word) => (
        <button
            type="button"
            class="sort"
            title={t(title)}
            aria-pressed={sort === by}
            onClick={() => go(sortedBy(sort === by ? null : by))}
        >
            {t(text)}
        </button>
    );
    return (
        <div class="game-heads" role="group" aria-label={t("sortBy")}>
            <span class="name">
                {t("white")} {button("elo", "eloShort", "sortElo")}
            </span>
            <span />
            <span>{t("black")}</span>
            {button("date", "date", "sortDate")}
            <span>{t("event")}</span>
            <span>ECO</span>
            {hits ? <span>{t("move")}</span> : button("plies", "movesPlayed", "sortPlies")}
        </div>
    );
}
