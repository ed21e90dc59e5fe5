// A player's wins, draws and losses as a bar.
import { number, t } from "../i18n";
import type { Results } from "../types-views";
import { Bar } from "./Bar";

export function ResultsBar({ results: { wins, draws, losses } }: { results: Results }) {
    return (
        <Bar
            class="wdl"
            label={t("wdlLabel", { wins, draws, losses })}
            parts={[
                ["win", wins],
                ["d", draws],
                ["loss", losses],
            ]}
        />
    );
}

export function scoreText(score: number | null | undefined): string {
    return score == null ? "–" : `${number(score, 1)}%`;
}
