// Where games left the lines of a repertoire, who left them, and how they ended.
import { useState } from "preact/hooks";
import type { Query } from "../../api";
import { t } from "../../i18n";
import { go, useAddress } from "../../state";
import { Failure } from "../Failure";
import { kSides, kSideWords, useLeftGames } from "./left-games";
import { LeftGameTable } from "./LeftGameTable";

const kAtFirst = 20;

export function LeftGames({ pgn, query }: { pgn: Blob; query: Query }) {
    const { params } = useAddress();
    const by = kSides.find((side) => side === params.get("left-by"));
    const asked: Query = [...query, ["left-by", by], ["sort", "date"]];
    const [most, setMost] = useState({ asked: "", rows: kAtFirst });
    const key = JSON.stringify(asked);
    const wanted = most.asked === key ? most.rows : kAtFirst;
    const { rows, more, error, loading } = useLeftGames(pgn, asked, wanted);
    return (
        <section class="card" aria-label={t("leftGames")} aria-busy={loading}>
            <h2>{t("leftGames")}</h2>
            <p class="quiet">{t("leftGamesExplained")}</p>
            <div class="quick">
                <div role="group" aria-label={t("whoLeft")} class="segments">
                    {[undefined, ...kSides].map((side) => (
                        <button
                            key={side}
                            type="button"
                            aria-pressed={side === by}
                            onClick={() => go({ "left-by": side }, "replace")}
                        >
                            {side ? t(kSideWords[side]) : t("leftByAnyone")}
                        </button>
                    ))}
                </div>
            </div>
            <Failure error={error} />
            {rows.length > 0 && (
                <div class={loading ? "waiting" : ""}>
                    <LeftGameTable rows={rows} />
                </div>
            )}
            {rows.length === 0 && (loading || !error) && (
                <p class="quiet" role="status">
                    {t(loading ? "searching" : "noLeftGames")}
                </p>
            )}
            {more && (
                <p class="buttons">
                    <button
                        type="button"
                        onClick={() => setMost({ asked: key, rows: rows.length + 100 })}
                    >
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}
