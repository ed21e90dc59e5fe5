// The figures of a player, as cards.
import { useState } from "preact/hooks";
import { number, t } from "../i18n";
import type { OpeningScore, Player, Score } from "../types";
import { Curve } from "./Curve";
import { ResultsBar, scoreText } from "./ResultsBar";

const kFewRows = 6;

function sum(a: Score, b: Score): Score {
    const games = a.games + b.games;
    const points = a.wins + b.wins + (a.draws + b.draws) / 2;
    const wins = a.wins + b.wins;
    const draws = a.draws + b.draws;
    const losses = a.losses + b.losses;
    const decided = wins + draws + losses;
    return { games, wins, draws, losses, score: decided > 0 ? (100 * points) / decided : null };
}

function ResultsHead({ first }: { first: string }) {
    return (
        <thead>
            <tr>
                <th scope="col">{first}</th>
                <th scope="col" class="num">
                    {t("gamesColumn")}
                </th>
                <th scope="col" class="num">
                    {t("score")}
                </th>
                <th scope="col">
                    <span class="hidden">{t("result")}</span>
                </th>
            </tr>
        </thead>
    );
}

function ResultsRow({ name, results }: { name: string; results: Score }) {
    return (
        <tr>
            <th scope="row">{name}</th>
            <td class="num">{number(results.games)}</td>
            <td class="num">{scoreText(results.score)}</td>
            <td class="results">
                <ResultsBar results={results} />
            </td>
        </tr>
    );
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

export function ByYear(props: { years: Player["years"] }) {
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

// Rows of results, of which all but the first are shown on demand.
function FewRows(props: {
    first: string; // the head of the first column
    rows: readonly { name: string; results: Score }[];
    all: string; // what shows the others
    kind?: string;
}) {
    const [all, setAll] = useState(false);
    const { rows } = props;
    return (
        <>
            <table class={`figures ${props.kind ?? ""}`}>
                <ResultsHead first={props.first} />
                <tbody>
                    {(all ? rows : rows.slice(0, kFewRows)).map((row) => (
                        <ResultsRow key={row.name} {...row} />
                    ))}
                </tbody>
            </table>
            {!all && rows.length > kFewRows && (
                <p class="buttons">
                    <button type="button" class="link" onClick={() => setAll(true)}>
                        {props.all}
                    </button>
                </p>
            )}
        </>
    );
}

export function ByOpponents({ opponents }: { opponents: Player["opponents"] }) {
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
            <FewRows
                first={t("rating")}
                rows={rows}
                all={t("moreRatings", { n: rows.length })}
            />
        </section>
    );
}

export function OpeningsTable({ openings }: { openings: readonly OpeningScore[] }) {
    if (openings.length === 0) return null;
    return (
        <div class="player-pair">
            {(["white", "black"] as const).map((side) => (
                <OpeningsOfColour
                    key={side}
                    title={`${t("openingsOf")}, ${t(side === "white" ? "asWhite" : "asBlack")}`}
                    openings={openings.filter((row) => row.colour === side)}
                />
            ))}
        </div>
    );
}

function OpeningsOfColour(props: { title: string; openings: readonly OpeningScore[] }) {
    const { openings } = props;
    if (openings.length === 0) return null;
    return (
        <section class="card">
            <h3>{props.title}</h3>
            <FewRows
                kind="openings"
                first={t("opening")}
                rows={openings.map((results) => ({
                    name: results.name ? `${results.eco} ${results.name}` : t("noOpening"),
                    results,
                }))}
                all={t("moreOpenings", { n: openings.length })}
            />
        </section>
    );
}
