// White, draws and Black as parts of a bar.
import { percent, t } from "../i18n";
import type { Results } from "../types";
import { Bar } from "./Bar";

export function ScoreBar({ score }: { score: Results }) {
    const total = score.white + score.draws + score.black;
    const label = t("barLabel", {
        white: percent(score.white, total),
        draws: percent(score.draws, total),
        black: percent(score.black, total),
    });
    return (
        <Bar
            label={label}
            parts={[
                ["w", score.white],
                ["d", score.draws],
                ["b", score.black],
            ]}
        />
    );
}
