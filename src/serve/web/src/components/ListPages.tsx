// The ways to other pages of a list.
import { number, t } from "../i18n";
import { go, href } from "../state";
import { cursorAfter, cursorBefore } from "./game-neighbours";
import type { Search } from "./game-search";

export function ListPages({ search }: { search: Search }) {
    const previous = cursorBefore(search);
    const next = cursorAfter(search);

    function on(): void {
        if (!next) return;
        go({ cursor: next });
        scrollTo({ top: 0 });
    }

    return (
        <nav class="pages" aria-label={t("games")}>
            {search.cursor !== "" && (
                <a class="button" href={href({ cursor: null })}>
                    {t("firstPage")}
                </a>
            )}
            {previous !== undefined && previous !== "" && (
                <button type="button" onClick={() => go({ cursor: previous })}>
                    {t("previousPage")}
                </button>
            )}
            <button type="button" disabled={!next} onClick={on}>
                {t("nextPage")}
            </button>
            <span class="quiet">{number(search.list.data?.items.length ?? 0)}</span>
        </nav>
    );
}
