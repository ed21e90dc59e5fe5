// A player's rating over time.
import { t } from "../../i18n";
import type { Player } from "../../types";
import { Curve } from "../Curve";

// Returns a month such as 2014-10 as a number. Months are evenly spaced.
function when(month: string): number {
    const [year, part] = month.split("-").map(Number);
    return year! + ((part ?? 1) - 1) / 12;
}

export function RatingCurve({ ratings }: { ratings: Player["ratings"] }) {
    if (ratings.length < 2) return null;
    const first = ratings[0]!;
    const last = ratings[ratings.length - 1]!;
    const best = ratings.reduce((a, b) => (b.rating > a.rating ? b : a));
    const summary = t("ratingSummary", {
        first: String(first.rating),
        from: first.month,
        last: String(last.rating),
        to: last.month,
        best: String(best.rating),
        when: best.month,
    });
    return (
        <section class="card">
            <h3>{t("ratingOverTime")}</h3>
            <Curve
                x={ratings.map((row) => when(row.month))}
                lines={[
                    {
                        label: t("ratingOverTime"),
                        values: ratings.map((row) => row.rating),
                        color: "--accent",
                        fill: "--accent-soft",
                    },
                ]}
                label={summary}
                xText={(x) => String(Math.round(x))}
                yText={(y) => String(Math.round(y))}
                read={(index) => `${ratings[index]!.month}: ${ratings[index]!.rating}`}
                height={200}
            />
        </section>
    );
}
