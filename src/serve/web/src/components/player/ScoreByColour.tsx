// A player's results as White, as Black and together.
import { t } from "../../i18n";
import type { Player, Score } from "../../types";
import { ResultsHead, ResultsRow } from "./ResultsRows";

function sum(a: Score, b: Score): Score {
    const games = a.games + b.games;
    const points = a.wins + b.wins + (a.draws + b.draws) / 2;
    const wins = a.wins + b.wins;
    const draws = a.draws + b.draws;
    const losses = a.losses + b.losses;
    const decided = wins + draws + losses;
    return { games, wins, draws, losses, score: decided > 0 ? (100 * points) / decided : null };
}

export function ScoreByColour({ report }: { report: Player }) {
    return (
        <section class="card">
            <h3>{t("scoreByColour")}</h3>
            <table class="figures">
                <ResultsHead first={t("colour")} />
                <tbody>
                    <ResultsRow name={t("asWhite")} results={report.white} />
                    <ResultsRow name={t("asBlack")} results={report.black} />
                    <ResultsRow name={t("allColours")} results={sum(report.white, report.black)} />
                </tbody>
            </table>
        </section>
    );
}
