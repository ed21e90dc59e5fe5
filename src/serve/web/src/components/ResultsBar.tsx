// A player's wins, draws and losses as a bar.
import { number, t } from "../i18n";
import type { PlayerResults } from "../types";
import { Bar } from "./Bar";

export function ResultsBar({ results: { wins, draws, losses } }: { results: PlayerResults }) {
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
