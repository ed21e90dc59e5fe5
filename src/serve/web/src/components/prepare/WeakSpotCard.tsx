// A position in which a player's results are bad: its board, its line and its results.
import { t } from "../../i18n";
import type { Changes } from "../../state";
import type { WeakSpot } from "../../types";
import { Diagram } from "../Diagram";
import { LineText } from "../LineText";
import { exploreLine } from "../moves";
import { ResultsBar, scoreText } from "../ResultsBar";
import type { Side } from "../squares";
import { WeakMoves } from "./WeakMoves";

export function WeakSpotCard(props: { spot: WeakSpot; color: Side; theirs: Changes }) {
    const { spot } = props;
    // The board is shown from the side of the user, who prepares for games against this player.
    const mine: Side = props.color === "white" ? "black" : "white";
    return (
        <article class="spot">
            <Diagram fen={spot.fen} orientation={mine} />
            <div class="spot-text">
                <h4>
                    <button
                        type="button"
                        class="link"
                        title={t("openInExplorer")}
                        onClick={() => void exploreLine(spot.line, props.theirs)}
                    >
                        <LineText line={spot.line} />
                    </button>
                </h4>
                {spot.opening && (
                    <p class="quiet">
                        {spot.eco} {spot.opening}
                    </p>
                )}
                <p class="spot-score">
                    <strong>
                        {t("weakScore", { score: scoreText(spot.score), games: spot.games })}
                    </strong>
                    {spot.last_year && (
                        <span class="quiet">, {t("lastIn", { year: String(spot.last_year) })}</span>
                    )}
                </p>
                <ResultsBar results={spot} />
                {spot.moves.length > 0 && <WeakMoves spot={spot} />}
            </div>
        </article>
    );
}
