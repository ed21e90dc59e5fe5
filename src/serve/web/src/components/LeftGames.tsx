// Where games left the lines of a repertoire, who left them, and how they ended.
import { useEffect, useState } from "preact/hooks";
import { asApiError, type ApiError, type Query } from "../api";
import { date, t } from "../i18n";
import { go, href, useAddress } from "../state";
import type { RepertoireGame } from "../types";
import { Failure } from "./Failure";
import { resultText } from "./GameList";
import { useRoving } from "./keys";
import { moveNumber } from "./move-number";
import { postedRows } from "./posted-rows";
import { sanText } from "./squares";

const kAtFirst = 20;
const kSides = ["player", "opponent", "nobody"] as const;
const kWords = { player: "leftByMe", opponent: "leftByOpponent", nobody: "leftByNobody" } as const;

interface Games {
    rows: RepertoireGame[];
    more: boolean;
    error?: ApiError;
    loading: boolean;
}

function useGames(pgn: Blob, query: Query, most: number): Games {
    const [games, setGames] = useState<Games>({ rows: [], more: false, loading: true });
    useEffect(() => {
        const abort = new AbortController();
        setGames((before) => ({ ...before, error: undefined, loading: true }));
        // One row more says whether there are more.
        postedRows<RepertoireGame>("repertoire", query, pgn, abort.signal, most + 1)
            .then((rows) =>
                setGames({ rows: rows.slice(0, most), more: rows.length > most, loading: false }),
            )
            .catch((failure: unknown) => {
                if (abort.signal.aborted) return;
                setGames({ rows: [], more: false, error: asApiError(failure), loading: false });
            });
        return () => abort.abort();
    }, [pgn, JSON.stringify(query), most]);
    return games;
}

export function LeftGames({ pgn, query }: { pgn: Blob; query: Query }) {
    const { params } = useAddress();
    const by = kSides.find((side) => side === params.get("left-by"));
    const asked: Query = [...query, ["left-by", by], ["sort", "date"]];
    const [most, setMost] = useState({ asked: "", rows: kAtFirst });
    const key = JSON.stringify(asked);
    const wanted = most.asked === key ? most.rows : kAtFirst;
    const { rows, more, error, loading } = useGames(pgn, asked, wanted);
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
                            {side ? t(kWords[side]) : t("leftByAnyone")}
                        </button>
                    ))}
                </div>
            </div>
            <Failure error={error} />
            {rows.length > 0 && (
                <div class={loading ? "waiting" : ""}>
                    <Table rows={rows} />
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

function Table({ rows }: { rows: readonly RepertoireGame[] }) {
    const body = useRoving<HTMLTableSectionElement>("a");
    return (
        <table class="figures">
            <thead>
                <tr>
                    <th scope="col">{t("gameHead")}</th>
                    <th scope="col">{t("whoLeft")}</th>
                    <th scope="col" class="num">
                        {t("points")}
                    </th>
                </tr>
            </thead>
            <tbody ref={body}>
                {rows.map((row) => (
                    <Row key={row.ref} row={row} />
                ))}
            </tbody>
        </table>
    );
}

const kPoints: Record<number, string> = { 0: "0", 0.5: "½", 1: "1" };

function Row({ row }: { row: RepertoireGame }) {
    const known = (name: string | null) => (name && name !== "?" ? name : t("unknown"));
    return (
        <tr>
            <th scope="row">
                <a href={href({ view: "games", game: row.ref, ply: row.ply || null })}>
                    {known(row.white)} – {known(row.black)}
                </a>{" "}
                <span class="quiet">
                    {[resultText(row.result), date(row.date)].filter(Boolean).join(" · ")}
                </span>
            </th>
            <td>
                {t(kWords[row.left_by ?? "nobody"])}
                {row.left_by && row.played && (
                    <>
                        {": "}
                        <strong>
                            {moveNumber(row.fen, true)}
                            {sanText(row.played)}
                        </strong>{" "}
                        <span class="quiet">
                            {t("insteadOf", { moves: row.expected.map(sanText).join(", ") })}
                        </span>
                    </>
                )}
            </td>
            <td class="num">{row.points !== null && kPoints[row.points]}</td>
        </tr>
    );
}
