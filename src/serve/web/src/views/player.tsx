// A player: score by colour, rating, opponents, openings, and where the results are worst.
import { useState } from "preact/hooks";
import { useApi, type Query } from "../api";
import { AlikeNames } from "../components/AlikeNames";
import { Failure } from "../components/Failure";
import { FiguresHead } from "../components/FiguresHead";
import { Field, FilterChips, PlayerInput } from "../components/FilterChips";
import { Preparing } from "../components/Preparing";
import { count, number, t, years } from "../i18n";
import { filters, go, href } from "../state";
import { useTitle } from "../title";
import type { Page, PlayerRow, Player as PlayerReport } from "../types";
import {
    ByOpponents,
    ByYear,
    OpeningsTable,
    RatingCurve,
    ScoreByColour,
} from "../components/PlayerCards";
import type { View } from "./view";

const Player: View = ({ address }) => {
    const { params } = address;
    const name = params.get("name") ?? "";
    const against = params.get("against") ?? "";
    const filter = filters(params);
    const query: Query = against ? [["a", name], ["b", against], ...filter] : filter;
    const path = against ? "head-to-head" : `players/${encodeURIComponent(name)}`;
    const report = useApi<PlayerReport>(name ? path : null, query);
    useTitle(against ? t("headToHead", { a: name, b: against }) : name);
    const unknown = report.error !== undefined && [300, 400, 404, 409].includes(report.error.status);

    return (
        <>
            <h1 class="hidden">{t("player")}</h1>
            <div class="player-search">
                <Field label={t("findPlayer")}>
                    <PlayerInput value={name} onChange={(to) => go({ name: to.trim() })} />
                </Field>
                {name && (
                    <Field label={t("against")}>
                        <PlayerInput value={against} onChange={(to) => go({ against: to.trim() })} />
                    </Field>
                )}
                {name && <FilterChips hide={["player", "white", "black"]} />}
            </div>
            {name === "" ? (
                <Names />
            ) : unknown ? (
                <>
                    {against && <Failure error={report.error} />}
                    <Names like={name} />
                </>
            ) : (
                <>
                    <Failure error={report.error} again={report.again} />
                    {!report.data && report.loading && <p class="quiet">{t("loading")}</p>}
                    {report.data && (
                        <Report report={report.data} name={name} against={against} stale={report.loading} />
                    )}
                </>
            )}
        </>
    );
};
export default Player;

// Lists the players whose names begin with `like`, or those with the most games.
function Names({ like }: { like?: string }) {
    const [limit, setLimit] = useState(20);
    const { data, error, loading, again } = useApi<Page<PlayerRow>>(
        "players",
        [
            ["prefix", like],
            ["limit", limit],
        ],
    );
    if (error) return <Failure error={error} again={again} />;
    if (!data) return <p class="quiet">{t("loading")}</p>;
    if (data.items.length === 0) return <p>{t("noPlayer")}</p>;
    return (
        <section class="card player-names" aria-busy={loading}>
            <p class="quiet">{t(like ? "playersLike" : "playersIntro")}</p>
            <table class="figures">
                <FiguresHead
                    name={t("playerName")}
                    columns={[
                        { text: t("gamesColumn") },
                        { text: t("asWhite"), wide: true },
                        { text: t("asBlack"), wide: true },
                        { text: t("playerYears") },
                    ]}
                />
                <tbody>
                    {data.items.map((player) => (
                        <tr key={player.name}>
                            <th scope="row">
                                <a href={href({ name: player.name })}>{player.name}</a>
                            </th>
                            <td class="num">{number(player.games)}</td>
                            <td class="num wide">{number(player.white)}</td>
                            <td class="num wide">{number(player.black)}</td>
                            <td class="num">{years(player.first_year, player.last_year)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {data.next && (
                <p class="buttons">
                    <button type="button" onClick={() => setLimit(limit * 3)}>
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}

interface ReportProps {
    report: PlayerReport;
    name: string;
    against: string;
    stale: boolean;
}

function Report({ report, name, against, stale }: ReportProps) {
    const shown = report.names[0]?.name ?? name;
    const games = report.white.games + report.black.games;
    const played = report.years.flatMap((row) => row.year ?? []);
    const joined = report.names.flatMap((each) => each.spellings ?? []);
    const span = years(played[0], played[played.length - 1]);
    return (
        <div class="player-report" aria-busy={stale}>
            <header class="player-head">
                <h2>
                    {against ? t("headToHead", { a: shown, b: report.against ?? against }) : shown}
                </h2>
                <p>
                    {count(games, "oneGame", "manyGames")}
                    {span && `, ${span}`} ·{" "}
                    <a
                        href={href({
                            view: "games",
                            player: against ? [shown, against] : [shown],
                            play: null,
                            fen: null,
                            at: null,
                        })}
                    >
                        {t("theirGames")}
                    </a>
                </p>
                {joined.length > 0 && (
                    <p class="quiet">{t("joinedNames", { names: joined.join("; ") })}</p>
                )}
                <AlikeNames names={report.alike} />
            </header>
            <div class="player-cards">
                <ScoreByColour report={report} />
                <RatingCurve ratings={report.ratings} />
                <ByYear years={report.years} />
                <ByOpponents opponents={report.opponents} />
            </div>
            <OpeningsTable openings={report.openings} />
            {!against && <Preparing name={shown} />}
        </div>
    );
}
