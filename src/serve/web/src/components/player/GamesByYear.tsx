// A player's games of each year as columns of wins, draws and losses.
import { t } from "../../i18n";
import type { Player } from "../../types";
import { scoreText } from "../ResultsBar";

export function GamesByYear(props: { years: Player["years"] }) {
    const years = props.years.flatMap(({ year, ...row }) =>
        year === null ? [] : { ...row, year },
    );
    if (years.length < 2) return null;
    const first = years[0]!.year;
    const last = years[years.length - 1]!.year;
    const most = Math.max(...years.map((row) => row.games));
    const byYear = new Map(years.map((row) => [row.year, row]));
    const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const every = Math.ceil(all.length / 8);
    return (
        <section class="card">
            <h3>{t("gamesByYear")}</h3>
            <ol class="columns">
                {all.map((year, index) => {
                    const row = byYear.get(year);
                    const label = row
                        ? t("yearLabel", {
                              year: String(year),
                              games: row.games,
                              score: scoreText(row.score),
                          })
                        : String(year);
                    const part = (n: number, name: string) => (
                        <span class={name} style={{ height: `${(100 * n) / most}%` }} />
                    );
                    return (
                        <li key={year} title={label}>
                            <span class="column" aria-hidden="true">
                                {row && part(row.losses, "loss")}
                                {row && part(row.draws, "d")}
                                {row && part(row.wins, "win")}
                            </span>
                            <span class="hidden">{label}</span>
                            <span class="year" aria-hidden="true">
                                {index % every === 0 ? `’${String(year).slice(2)}` : ""}
                            </span>
                        </li>
                    );
                })}
            </ol>
        </section>
    );
}
