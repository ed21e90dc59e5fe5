// Shows where each game of a PGN file left the games of the database.
import { useEffect, useState } from "preact/hooks";
import { asApiError, rows, type ApiError } from "../api";
import { Board } from "../components/Board";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GameCells, GameHeading } from "../components/GameCells";
import { GameList } from "../components/GameList";
import { useKeys, useRoving } from "../components/keys";
import { numberedMove } from "../components/moves";
import { Drop } from "../components/Drop";
import { forgetText, keepText, keptText } from "../components/kept-text";
import { PgnInput } from "../components/PgnInput";
import { ScoreBar } from "../components/ScoreBar";
import { useInSight } from "../components/sight";
import { endsOf } from "../components/squares";
import { count, number, t } from "../i18n";
import { piecesOf } from "../components/game-files";
import { filters, go, href } from "../state";
import { useTitle } from "../title";
import type { NoveltyRow as Row } from "../types";
import type { View } from "./view";

const kKept = "novelty.pgn";

interface Answers {
    rows: readonly Row[];
    error: ApiError | undefined;
    loading: boolean;
}

function useNovelties(pgn: Blob | null, filter: [string, string][]): Answers {
    const [answers, setAnswers] = useState<Answers>({ rows: [], error: undefined, loading: false });
    useEffect(() => {
        if (pgn === null) return;
        const abort = new AbortController();
        const found: Row[] = [];
        let shown = performance.now();
        async function read(piece: Blob): Promise<void> {
            const before = found.length;
            const body = { method: "POST", body: piece, type: "application/x-chess-pgn" } as const;
            for await (const row of rows<Row>("novelty", filter, { ...body, signal: abort.signal })) {
                found.push({ ...row, game: before + row.game });
                if (performance.now() - shown < 200) continue;
                shown = performance.now();
                setAnswers({ rows: [...found], error: undefined, loading: true });
            }
        }
        async function readAll(file: Blob): Promise<void> {
            for await (const piece of piecesOf(file)) await read(piece);
            setAnswers({ rows: found, error: undefined, loading: false });
            if (found.length > 0) await keepText(kKept, file);
        }
        setAnswers({ rows: [], error: undefined, loading: true });
        readAll(pgn).catch((failure: unknown) => {
            if (abort.signal.aborted) return;
            // After a reload the error does not come back.
            forgetText(kKept);
            const error = asApiError(failure);
            setAnswers((before) => ({ ...before, error, loading: false }));
        });
        return () => abort.abort();
    }, [pgn, JSON.stringify(filter)]);
    return answers;
}

const Novelty: View = ({ address }) => {
    const { params } = address;
    const [pgn, setPgn] = useState(() => keptText(kKept));
    const answers = useNovelties(pgn, filters(params));
    const at = Number(params.get("n") ?? 1);
    const chosen = answers.rows[at - 1];
    useTitle(chosen && `${chosen.white ?? t("unknown")} – ${chosen.black ?? t("unknown")}`);

    function take(file: Blob): void {
        setPgn(file);
        go({ n: null }, "replace");
    }

    useKeys({
        f: () => go({ flip: params.get("flip") === null }, "replace"),
    });

    return (
        <Drop onFile={take}>
            <div class={`beside ${chosen ? "has-board" : ""}`}>
                <div class="beside-list card">
                    <h1 class="hidden">{t("novelty")}</h1>
                    <div class={pgn === null ? "" : "novelty-top"}>
                        <PgnInput pgn={pgn} intro="noveltyIntro" submit="checkPgn" onFile={take} />
                        <FilterChips />
                    </div>
                    <Failure error={answers.error} />
                    {answers.loading && (
                        <p class="quiet" role="status">
                            {t("searching")}
                        </p>
                    )}
                    {pgn !== null && !answers.loading && !answers.error && (
                        <p role="status">
                            {answers.rows.length > 0
                                ? count(answers.rows.length, "oneGame", "manyGames")
                                : t(pgn.size === 0 ? "emptyFile" : "notPgn")}
                        </p>
                    )}
                    <Rows rows={answers.rows} at={at} />
                </div>
                <div class="beside-board card">
                    {chosen && <Shown row={chosen} flipped={params.get("flip") !== null} />}
                </div>
            </div>
        </Drop>
    );
};
export default Novelty;

function Rows({ rows: games, at }: { rows: readonly Row[]; at: number }) {
    const list = useRoving<HTMLOListElement>("a");
    if (games.length === 0) return null;
    return (
        <ol ref={list} class="game-list novelty-list" aria-label={t("noveltyGames")}>
            {games.map((row, index) => (
                <li key={row.game}>
                    <a
                        href={href({ n: index === 0 ? null : index + 1 })}
                        aria-current={index + 1 === at ? "true" : undefined}
                    >
                        <GameCells game={row} />
                        <span class="new-move">
                            {row.novelty ? numberedMove(row.novelty.ply, row.novelty.san) : "–"}
                        </span>
                    </a>
                </li>
            ))}
        </ol>
    );
}

function Shown({ row, flipped }: { row: Row; flipped: boolean }) {
    const section = useInSight<HTMLElement>(row.game);
    const fresh = row.novelty;
    const most = row.played.reduce((sum, move) => sum + move.games, 0);
    const fen = row.fen;
    const arrows = [
        ...row.played.slice(0, 3).map((move) => ({ ...endsOf(move.uci), kind: "hint" as const })),
        ...(fresh ? [{ ...endsOf(fresh.uci), kind: "fresh" as const }] : []),
    ].flatMap(({ from, to, kind }) => (from ? [{ from, to, kind }] : []));
    return (
        <section ref={section} class="game-board" aria-label={t("newMove")}>
            <header>
                <GameHeading game={row} />
                {row.errors.map((error, index) => (
                    <p class="failure" key={index}>
                        {t("errorsInGame", { reason: error.reason })}
                    </p>
                ))}
            </header>
            {fen && <Board fen={fen} orientation={flipped ? "black" : "white"} arrows={arrows} />}
            <p class="novelty-move">
                {fresh
                    ? t("newMoveIs", { move: numberedMove(fresh.ply, fresh.san) })
                    : t("nothingNew")}
            </p>
            <p>{row.games === 1 ? t("knownInOne") : t("knownIn", { n: row.games })}</p>
            {row.played.length > 0 && row.ply !== null && (
                <table class="figures played">
                    <caption>{t("playedBefore")}</caption>
                    <thead class="hidden">
                        <tr>
                            <th scope="col">{t("move")}</th>
                            <th scope="col">{t("gamesColumn")}</th>
                            <th scope="col">{t("results")}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {row.played.slice(0, 8).map((move) => (
                            <tr key={move.uci}>
                                <th scope="row">{numberedMove(row.ply! + 1, move.san)}</th>
                                <td class="num" title={`${number(move.games)} / ${number(most)}`}>
                                    {number(move.games)}
                                </td>
                                <td class="results">
                                    <ScoreBar score={move} />
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {row.ended > 0 && <p class="quiet">{t("endedBefore", { n: row.ended })}</p>}
            {row.last && row.last_ref && (
                <>
                    <h3>{t("lastPlayedBy")}</h3>
                    <GameList
                        games={[{ ...row.last, ref: row.last_ref }]}
                        label={t("lastPlayedBy")}
                        link={(game) => ({ view: "games", game: game.ref, ply: row.ply })}
                    />
                </>
            )}
            {fen && (
                <p class="ways">
                    <a href={href({ view: "explorer", fen, play: null, at: null })}>
                        {t("openInExplorer")}
                    </a>
                </p>
            )}
        </section>
    );
}
