// What engines said of a position: score, depth, and variations to step into.
import { useApi } from "../api";
import { number, t } from "../i18n";
import { href } from "../state";
import type { EvaluatedLine, Evaluations, Verdict } from "../types";
import type { Line } from "./line";
import { sanText, type Side } from "./squares";

export type Score = Pick<Verdict, "cp" | "mate">;

// "+0.31", or "#-4" if Black mates in four moves.
export function scoreText(score: Score): string {
    if (typeof score.mate === "number") return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
    const pawns = (score.cp ?? 0) / 100;
    return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

// The score that a comment of a game tells: "0.31", or "#-3" for a mate.
export function scoreTold(text: string | null): Score | null {
    const mate = /^#(-?\d+)$/.exec(text ?? "");
    if (mate) return { mate: Number(mate[1]) };
    const cp = Math.round(100 * Number(text ?? NaN));
    return Number.isFinite(cp) ? { cp } : null;
}

// Centipawns, at most 1000, which are also a mate: the end of the scale of curves.
export function centipawns(score: Score): number {
    if (typeof score.mate === "number") return score.mate < 0 ? -1000 : 1000;
    return Math.max(-1000, Math.min(1000, score.cp ?? 0));
}

// White's share of the bar, from 0 to 1.
function shareOf(score: Score): number {
    if (typeof score.mate === "number") return score.mate > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-0.004 * (score.cp ?? 0)));
}

// The bar at the left of a board. Its height does not depend on the score, so nothing moves.
export function EvaluationBar({ score, side }: { score: Score; side: Side }) {
    return (
        <div class={`eval-bar ${side}`} title={scoreText(score)} aria-hidden="true">
            <span style={{ height: `${100 * shareOf(score)}%` }} />
        </div>
    );
}

export function useEvaluations(line: Line): Evaluations | undefined {
    return useApi<Evaluations>("evals", [
        ...line.base,
        ["play", line.play.slice(0, line.at).join(",")],
    ]).data;
}

export function Evaluation({ line, known }: { line: Line; known: Evaluations | undefined }) {
    const best = known?.pvs[0];
    if (!known || !best) return null;
    return (
        <section class="evaluation" aria-label={t("evaluation")}>
            <p>
                <strong class="score">{scoreText(best)}</strong>{" "}
                <span class="quiet">{t("depth", { n: number(known.depth ?? 0) })}</span>
            </p>
            <ol>
                {known.pvs.map((pv, index) => (
                    <li key={index}>
                        <span class="score">{scoreText(pv)}</span> <Moves pv={pv} line={line} />
                    </li>
                ))}
            </ol>
        </section>
    );
}

// The moves of a variation. Each leads to the position after it.
function Moves({ pv, line }: { pv: EvaluatedLine; line: Line }) {
    const before = line.play.slice(0, line.at);
    const uci = pv.uci.split(" ");
    return (
        <>
            {pv.san.split(" ").map((san, index) => (
                <>
                    <a
                        key={index}
                        href={href({
                            play: [...before, ...uci.slice(0, index + 1)].join(","),
                            at: null,
                        })}
                    >
                        {sanText(san)}
                    </a>{" "}
                </>
            ))}
        </>
    );
}
