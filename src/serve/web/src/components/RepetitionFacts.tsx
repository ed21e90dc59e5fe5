// The claims and draws by the rules, and how the game went on.
import { t } from "../i18n";
import type { Repetition } from "../types";
import { resultText } from "./listed-game";

export function RepetitionFacts({ row }: { row: Repetition }) {
    return (
        <ul class="told">
            {row.claimant && <li>{t("couldClaim", { side: t(row.claimant) })}</li>}
            {row.announcer && (
                <li>
                    {t("couldAnnounce", {
                        side: t(row.announcer),
                        move: row.announced_move ?? "",
                        ply: row.announced_ply ?? 0,
                    })}
                </li>
            )}
            {row.checks && row.checks !== "both" && (
                <li>{t("perpetualCheck", { side: t(row.checks) })}</li>
            )}
            {row.fifth_ply !== null && <li>{t("drawAutomatic")}</li>}
            <li>
                {row.played_on !== null &&
                    (row.played_on > 0
                        ? t("playedOn", { n: row.played_on })
                        : t("endedThere"))}{" "}
                {t("gameResult", { result: resultText(row.result) })}
            </li>
        </ul>
    );
}
