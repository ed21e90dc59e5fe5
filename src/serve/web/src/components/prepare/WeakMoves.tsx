// The moves that were played in a position by all, with a player's results against them.
import { number, t } from "../../i18n";
import type { OtherMove, WeakSpot } from "../../types";
import { sanText, sideOf } from "../squares";

export function WeakMoves({ spot }: { spot: WeakSpot }) {
    return (
        <table class="figures">
            <caption class="hidden">{t("weakMoves")}</caption>
            <thead>
                <tr>
                    <th scope="col">
                        {t(sideOf(spot.fen) === "white" ? "whiteToMove" : "blackToMove")}
                    </th>
                    <th scope="col" class="num">
                        {t("gamesColumn")}
                    </th>
                    <th scope="col" class="num">
                        {t("scoreAgainst")}
                    </th>
                </tr>
            </thead>
            <tbody>
                {spot.moves.slice(0, 4).map((move) => (
                    <tr key={move.san}>
                        <th scope="row">{sanText(move.san)}</th>
                        <td class="num">{number(move.games)}</td>
                        <td class="num">{against(move.against)}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function against({ wins, draws, losses }: OtherMove["against"]): string {
    const games = wins + draws + losses;
    if (games === 0) return "–";
    return `${number((100 * (wins + draws / 2)) / games)}% (${number(games)})`;
}
