// What a player plays with a colour, and where the results are worst.
import { useApi } from "../api";
import { t } from "../i18n";
import { filters, href, useAddress, type Changes } from "../state";
import type { Preparation } from "../types";
import { Failure } from "./Failure";
import { PreparedTree } from "./player/PreparedTree";
import { WeakSpots } from "./player/WeakSpots";
import type { Side } from "./squares";

export function Preparing({ name }: { name: string }) {
    const { params } = useAddress();
    const color: Side = params.get("color") === "black" ? "black" : "white";
    const { data, error, loading, again } = useApi<Preparation>(
        `players/${encodeURIComponent(name)}/prepare`,
        [["color", color], ...filters(params)],
    );
    // The explorer shows this player's games only.
    const theirs: Changes = { [color]: name };
    return (
        <section class="preparing" aria-busy={loading}>
            <header class="preparing-head">
                <h2>{t("prepareWith", { name })}</h2>
                <ul class="switch">
                    {(["white", "black"] as const).map((side) => (
                        <li key={side}>
                            <a
                                href={href({ color: side === "white" ? null : side })}
                                aria-current={side === color ? "true" : undefined}
                            >
                                {t(side === "white" ? "withWhite" : "withBlack", { name })}
                            </a>
                        </li>
                    ))}
                </ul>
            </header>
            <Failure error={error} again={again} />
            {data && data.color === color && (
                <div class="preparing-pair">
                    <PreparedTree key={color} rows={data.repertoire} theirs={theirs} />
                    <WeakSpots key={`weak ${color}`} preparation={data} theirs={theirs} />
                </div>
            )}
        </section>
    );
}
