// The panel in which filters are set.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n";
import { kFilters, type Filter } from "../../state";
import { fieldOf } from "../filter-words";
import { FilterInput } from "./FilterInput";
import { PlayerFields } from "./PlayerFields";

// The fields that are always shown, in two rows. Players have fields of their own.
const kRows: readonly (readonly Filter[])[] = [
    ["result", "since", "until", "min-elo", "max-elo", "time-control", "mode"],
    ["opening", "opening-eco", "event", "site"],
];
const kPlayers: readonly Filter[] = ["player", "white", "black"];
const kMore = kFilters
    .map(({ name }) => name)
    .filter((name) => !kPlayers.includes(name) && !kRows.flat().includes(name));

export function FilterPanel({ hide, onClose }: { hide: readonly Filter[]; onClose: () => void }) {
    const first = useRef<HTMLFormElement>(null);
    useEffect(() => first.current?.querySelector<HTMLElement>("input, select")?.focus(), []);

    const rowOf = (filters: readonly Filter[]) => (
        <div class="fields">
            {filters
                .filter((filter) => !hide.includes(filter))
                .map((filter) => (
                    <FilterInput key={filter} field={fieldOf(filter)} />
                ))}
        </div>
    );

    return (
        <form
            ref={first}
            class="filter-panel"
            onSubmit={(event) => {
                event.preventDefault();
                (document.activeElement as HTMLElement | null)?.blur();
                onClose();
            }}
            onKeyDown={(event) => {
                if (event.key === "Escape") onClose();
            }}
        >
            {!hide.includes("player") && <PlayerFields />}
            {kRows.map(rowOf)}
            <details>
                <summary>{t("moreFilters")}</summary>
                {rowOf(kMore)}
            </details>
            <p class="buttons">
                <button type="submit">{t("done")}</button>
            </p>
        </form>
    );
}
