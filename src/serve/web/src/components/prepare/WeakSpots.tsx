// The positions in which a player's results are worst.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Changes } from "../../state";
import type { Preparation } from "../../types";
import { scoreText } from "../ResultsBar";
import { WeakSpotCard } from "./WeakSpotCard";

const kFewSpots = 4;

export function WeakSpots({ preparation, theirs }: { preparation: Preparation; theirs: Changes }) {
    const [all, setAll] = useState(false);
    const spots = preparation.weak_spots;
    return (
        <section class="card weak-spots">
            <h3>{t("weakSpots")}</h3>
            <p class="quiet">
                {spots.length > 0
                    ? t("weakExplained", { score: scoreText(preparation.score) })
                    : t("noWeakSpots")}
            </p>
            <ol>
                {(all ? spots : spots.slice(0, kFewSpots)).map((spot) => (
                    <li key={spot.fen}>
                        <WeakSpotCard spot={spot} color={preparation.color} theirs={theirs} />
                    </li>
                ))}
            </ol>
            {!all && spots.length > kFewSpots && (
                <p class="buttons">
                    <button type="button" onClick={() => setAll(true)}>
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}
