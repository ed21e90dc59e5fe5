// What a database knows about a player, or about the games of two players.
import { count, t, years } from "../../i18n";
import { href } from "../../state";
import type { Player } from "../../types";
import { AlikeNames } from "../AlikeNames";
import { GamesByYear } from "./GamesByYear";
import { OpeningScores } from "./OpeningScores";
import { RatingCurve } from "./RatingCurve";
import { ScoreByColour } from "./ScoreByColour";
import { ScoreByOpponents } from "./ScoreByOpponents";

interface ReportProps {
    report: Player;
    name: string;
    against: string;
    stale: boolean;
}

export function PlayerReport({ report, name, against, stale }: ReportProps) {
    const shown = report.names[0]?.name ?? name;
    const games = report.white.games + report.black.games;
    const played = report.years.flatMap((row) => row.year ?? []);
    const joined = report.names.flatMap((each) => each.spellings ?? []);
    const span = years(played[0], played[played.length - 1]);
    return (
        <div class="player-report" aria-busy={stale}>
            <header class="card player-head">
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
                    {!against && (
                        <>
                            {" "}
                            ·{" "}
                            <a href={href({ view: "prepare", name: shown })}>{t("prepareHere")}</a>
                        </>
                    )}
                </p>
                {joined.length > 0 && (
                    <p class="quiet">{t("joinedNames", { names: joined.join("; ") })}</p>
                )}
                <AlikeNames names={report.alike} />
            </header>
            <div class="player-cards">
                <ScoreByColour report={report} />
                <RatingCurve ratings={report.ratings} />
                <GamesByYear years={report.years} />
                <ScoreByOpponents opponents={report.opponents} />
            </div>
            <OpeningScores openings={report.openings} />
        </div>
    );
}
