// The moves that games of the database played where a game of a file left them.
import { number, t } from "../../i18n";
import type { NoveltyRow } from "../../types";
import { numberedMove } from "../moves";
import { ScoreBar } from "../ScoreBar";

export function PlayedBefore({ row, ply }: { row: NoveltyRow; ply: number }) {
    const most = row.played.reduce((sum, move) => sum + move.games, 0);
    return (
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
                        <th scope="row">{numberedMove(ply + 1, move.san)}</th>
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
    );
}
