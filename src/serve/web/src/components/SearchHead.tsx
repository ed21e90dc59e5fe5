// Above a list of games or events: how many there are, their order, and what the list follows.
import { url, type Query } from "../api";
import { count, t } from "../i18n";
import { go } from "../state";
import { Field } from "./Field";
import { sortedBy } from "./FiguresHead";
import { sortsOf } from "./game-sorts";

export function SearchHead(props: {
    total: number | null | undefined;
    sort: string;
    here: boolean;
    follow: boolean | null; // null: no game is open
    byEvent: boolean;
    what: Query;
}) {
    const { total, sort, here, follow, byEvent, what } = props;
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
                        go(sortedBy(to === sorts[0]![0] ? null : to));
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
                            go({ here: event.currentTarget.checked, follow: null, cursor: null })
                        }
                    />{" "}
                    {t("gamesWithPosition")}
                </label>
            )}
            {follow !== null && !byEvent && (
                <label class="check">
                    <input
                        type="checkbox"
                        checked={follow}
                        onChange={(event) => {
                            const on = event.currentTarget.checked;
                            go({ here: on, follow: on, cursor: null });
                        }}
                    />{" "}
                    {t("followBoard")}
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
