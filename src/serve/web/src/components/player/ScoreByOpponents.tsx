// A player's results by the opponents' rating.
import { t } from "../../i18n";
import type { Player } from "../../types";
import { FewRows } from "./ResultsRows";

export function ScoreByOpponents({ opponents }: { opponents: Player["opponents"] }) {
    if (opponents.length === 0) return null;
    const nameOf = (from: number | null) =>
        from === null
            ? t("unrated")
            : t("ratingFrom", { from: String(from), to: String(from + 99) });
    const rows = [...opponents]
        .reverse()
        .map((results) => ({ name: nameOf(results.from), results }));
    return (
        <section class="card">
            <h3>{t("byOpponents")}</h3>
            <FewRows first={t("rating")} rows={rows} all={t("moreRatings", { n: rows.length })} />
        </section>
    );
}
