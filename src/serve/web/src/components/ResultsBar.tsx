// A player's wins, draws and losses as a bar.
import { number, percent, t } from "../i18n";
import type { Results } from "../types-views";

export function ResultsBar({ results }: { results: Results }) {
    const { wins, draws, losses } = results;
    const total = wins + draws + losses;
    if (total === 0) return <span class="bar bar-empty" />;
    const label = t("wdlLabel", { wins, draws, losses });
    const part = (n: number, name: string) => {
        const width = (100 * n) / total;
        return width === 0 ? null : (
            <span class={name} style={{ width: `${width}%` }}>
                {width >= 14 ? percent(n, total) : ""}
            </span>
        );
    };
    return (
        <span class="bar wdl" role="img" aria-label={label} title={label}>
            {part(wins, "win")}
            {part(draws, "d")}
            {part(losses, "loss")}
        </span>
    );
}

export function scoreText(score: number | null | undefined): string {
    return score == null ? "–" : `${number(score, 1)}%`;
}
