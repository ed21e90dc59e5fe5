// Names that an answer leaves out although they may be the same player's.
import { useApi } from "../api";
import { number, t } from "../i18n";
import { filters, href, useAddress } from "../state";
import type { AlikeName, NameGames, Page } from "../types";

const kMost = 6;

export function AlikeNames({ names }: { names: readonly NameGames[] }) {
    if (names.length === 0) return null;
    return (
        <p class="quiet alike">
            {t("notCounted")}{" "}
            {names.slice(0, kMost).map(({ name, games }, index) => (
                <>
                    {index > 0 && "; "}
                    <a href={href({ view: "player", name, player: null, white: null, black: null })}>
                        {name}
                    </a>{" "}
                    ({number(games)})
                </>
            ))}
        </p>
    );
}

// The names that the filter of the address leaves out.
export function AlikeNamesOfFilter() {
    const set = filters(useAddress().params);
    const hasPlayer = set.some(([key]) => key === "player" || key === "white" || key === "black");
    const { data } = useApi<Page<AlikeName>>(hasPlayer ? "alike" : null, [...set, ["limit", kMost]]);
    return hasPlayer && data ? <AlikeNames names={data.items} /> : null;
}
