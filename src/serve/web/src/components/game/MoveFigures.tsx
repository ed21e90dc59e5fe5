// What stands beside a move of a game: score, clock, and how many games reached the position.
import { count, number, shortNumber, t } from "../../i18n";
import type { GameMove } from "../../types";
import { scoreText, type Score } from "../Evaluation";
import { clockText } from "./played-game";

// The score and the clock after a move.
export function Marks({ move, score }: { move: GameMove; score: Score | null }) {
    return (
        <span class="marks">
            {score && <span title={t("evaluation")}>{scoreText(score)}</span>}
            {typeof move.clock === "number" && (
                <span title={t("clock")}>{clockText(move.clock)}</span>
            )}
        </span>
    );
}

// The number of games that reached the position, with a line whose length is its logarithm.
export function Reached({ n, most }: { n: number; most: number }) {
    const width = n <= 1 ? 0 : (100 * Math.log(n)) / Math.log(Math.max(most, 2));
    const label = n <= 1 ? t("reachedOnce") : count(n, "reachedOnce", "reachedBy");
    return (
        <span class={`reach ${n <= 1 ? "new" : ""}`} title={label}>
            <span class="hidden">{label}</span>
            <span aria-hidden="true">{n <= 1 ? "" : n < 10000 ? number(n) : shortNumber(n)}</span>
            <i style={{ width: `${Math.min(100, width)}%` }} />
        </span>
    );
}
