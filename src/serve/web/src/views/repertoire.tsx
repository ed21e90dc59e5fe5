// A repertoire: its lines as a tree, coloured by how many of the opponents' moves they have, and the
// moves that they do not have. The file stays in the browser; the server keeps nothing of it.
import { useEffect, useState } from "preact/hooks";
import { asApiError, type ApiError, type Query } from "../api";
import { Board } from "../components/Board";
import { CoverageTree } from "../components/CoverageTree";
import { treesOf } from "../components/coverage";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GapTable } from "../components/GapTable";
import { useKeys } from "../components/keys";
import { LeftGames } from "../components/LeftGames";
import { lineText } from "../components/moves";
import { Drop } from "../components/Drop";
import { forgetText, keepText, keptText } from "../components/kept-text";
import { PgnInput } from "../components/PgnInput";
import { postedRows } from "../components/posted-rows";
import { count, number, percent, t } from "../i18n";
import { sanText } from "../components/squares";
import { filters, go, href } from "../state";
import type { RepertoireGap, RepertoirePosition } from "../types";
import type { View } from "./view";

const kKept = "repertoire.pgn";

interface Answers {
    positions: RepertoirePosition[];
    gaps: RepertoireGap[];
    error?: ApiError;
    loading: boolean;
}
const kNone: Answers = { positions: [], gaps: [], loading: false };

function useCoverage(pgn: Blob | null, query: Query): Answers {
    const [answers, setAnswers] = useState<Answers>({ ...kNone, loading: pgn !== null });
    useEffect(() => {
        if (pgn === null) return;
        const abort = new AbortController();
        setAnswers((before) => ({ ...before, error: undefined, loading: true }));
        Promise.all([
            postedRows<RepertoirePosition>("repertoire_coverage", query, pgn, abort.signal),
            postedRows<RepertoireGap>("repertoire_gaps", query, pgn, abort.signal),
        ])
            .then(async ([positions, gaps]) => {
                setAnswers({ positions, gaps, loading: false });
                await keepText(kKept, pgn);
            })
            .catch((failure: unknown) => {
                if (abort.signal.aborted) return;
                // After a reload the error does not come back.
                forgetText(kKept);
                const error = asApiError(failure);
                setAnswers({ ...kNone, error });
            });
        return () => abort.abort();
    }, [pgn, JSON.stringify(query)]);
    return answers;
}

const Repertoire: View = ({ address }) => {
    const { params } = address;
    const [pgn, setPgn] = useState(() => keptText(kKept));
    const color = params.get("color") === "black" ? "black" : "white";
    const query: Query = [["color", color], ...filters(params)];
    const answers = useCoverage(pgn, query);
    const trees = treesOf(answers.positions);
    const shown = answers.positions[Number(params.get("n") ?? 1) - 1];
    const flipped = (color === "black") !== params.has("flip");
    useKeys({ f: () => go({ flip: !params.has("flip") }, "replace") });

    function take(file: Blob): void {
        setPgn(file);
        go({ n: null }, "replace");
    }

    return (
        <Drop onFile={take}>
            <div class={`beside ${shown ? "has-board" : ""}`} aria-busy={answers.loading}>
                <div class="beside-list">
                    <h1 class="hidden">{t("repertoire")}</h1>
                    <div class={pgn === null ? "" : "novelty-top"}>
                        <PgnInput pgn={pgn} intro="repertoireIntro" submit="compareLines" onFile={take} />
                        <ColorField color={color} />
                        <FilterChips hide={["white", "black"]} />
                    </div>
                    <Failure error={answers.error} />
                    {answers.loading && trees.length === 0 && (
                        <p class="quiet" role="status">
                            {t("searching")}
                        </p>
                    )}
                    {trees.length > 0 && <p class="legend">{t("coverageLegend")}</p>}
                    {trees.map((covered) => (
                        <CoverageTree
                            key={covered.start.number}
                            covered={covered}
                            mine={color}
                            shown={shown?.number ?? 1}
                            link={(n) => ({ n: n === 1 ? null : n })}
                        />
                    ))}
                    {pgn && trees.length > 0 && (
                        <>
                            <GapTable gaps={answers.gaps} positions={answers.positions} />
                            <LeftGames pgn={pgn} query={query} />
                        </>
                    )}
                </div>
                <div class="beside-board card">
                    {shown && <Shown row={shown} gaps={answers.gaps} flipped={flipped} />}
                </div>
            </div>
        </Drop>
    );
};
export default Repertoire;

function ColorField({ color }: { color: "white" | "black" }) {
    return (
        <label class="field color-field">
            <span>{t("myColour")}</span>
            <select
                value={color}
                onChange={(event) => {
                    const chosen = event.currentTarget.value;
                    go({ color: chosen === "black" ? chosen : null, n: null }, "replace");
                }}
            >
                <option value="white">{t("white")}</option>
                <option value="black">{t("black")}</option>
            </select>
        </label>
    );
}

// The position on the board, and what games played there that the lines do not have.
function Shown(props: { row: RepertoirePosition; gaps: RepertoireGap[]; flipped: boolean }) {
    const { row, gaps, flipped } = props;
    const here = gaps.filter(({ fen }) => fen === row.fen);
    return (
        <section class="game-board" aria-label={t("positionOfLines")}>
            <header>
                <h2>{row.line ? lineText(row.line) : t("startHeading")}</h2>
            </header>
            <Board fen={row.fen} orientation={flipped ? "black" : "white"} />
            <p>
                {count(row.games, "reachedByOne", "reachedByMany")}{" "}
                {t("likely", { share: percent(row.share, 100, 1) })}{" "}
                {row.covered !== null && t("coveredHere", { share: percent(row.covered, 100) })}
            </p>
            {here.length > 0 && (
                <p>
                    {t("missingHere")}{" "}
                    {here.map(({ san, games }) => `${sanText(san)} (${number(games)})`).join(", ")}
                </p>
            )}
            <p class="ways">
                <a href={href({ view: "explorer", fen: row.fen, play: null, at: null })}>
                    {t("openInExplorer")}
                </a>
            </p>
        </section>
    );
}
