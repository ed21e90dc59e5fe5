// What engines said of a position: score, depth, and variations to step into.
import { useApi } from "../api";
import { number, t } from "../i18n";
import { href } from "../state";
import type { EvaluatedLine, Evaluations, Verdict } from "../types";
import type { Line } from "./line";
import { sanText } from "./squares";

// "+0.31", or "#-4" if Black mates in four moves.
export function scoreText(score: Pick<Verdict, "cp" | "mate">): string {
    if (typeof score.mate === "number") return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
    const pawns = (score.cp ?? 0) / 100;
    return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

// White's share of the bar, from 0 to 1.
function shareOf(score: EvaluatedLine): number {
    if (typeof score.mate === "number") return score.mate > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-0.004 * (score.cp ?? 0)));
}

export function Evaluation({ line }: { line: Line }) {
    const { data } = useApi<Evaluations>("evals", [
        ...line.base,
        ["play", line.play.slice(0, line.at).join(",")],
    ]);
    const best = data?.pvs[0];
    if (!data || !best) return null;
    return (
        <section class="evaluation" aria-label={t("evaluation")}>
            <p>
                <strong class="score">{scoreText(best)}</strong>{" "}
                <span class="quiet">
                    {t("depth", { n: number(data.depth ?? 0) })}
                </span>
            </p>
            <div class="eval-bar" aria-hidden="true">
                <span style={{ width: `${100 * shareOf(best)}%` }} />
            </div>
            <ol>
                {data.pvs.map((pv, index) => (
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
