// A player's results by opening, as White and as Black.
import { t } from "../../i18n";
import type { OpeningScore } from "../../types";
import { FewRows } from "./ResultsRows";

export function OpeningScores({ openings }: { openings: readonly OpeningScore[] }) {
    if (openings.length === 0) return null;
    return (
        <div class="player-pair">
            {(["white", "black"] as const).map((side) => (
                <OpeningsOfColour
                    key={side}
                    title={`${t("openingsOf")}, ${t(side === "white" ? "asWhite" : "asBlack")}`}
                    openings={openings.filter((row) => row.colour === side)}
                />
            ))}
        </div>
    );
}

function OpeningsOfColour(props: { title: string; openings: readonly OpeningScore[] }) {
    const { openings } = props;
    if (openings.length === 0) return null;
    return (
        <section class="card">
            <h3>{props.title}</h3>
            <FewRows
                kind="openings"
                first={t("opening")}
                rows={openings.map((results) => ({
                    name: results.name ? `${results.eco} ${results.name}` : t("noOpening"),
                    results,
                }))}
                all={t("moreOpenings", { n: openings.length })}
            />
        </section>
    );
}
