// Some of the games that came to a position.
import { t } from "../i18n";
import { href } from "../state";
import type { Tree } from "../types";
import { GameList, rowOf, type ListedGame } from "./GameList";
import type { Line } from "./line";
import type { Point } from "./PlayedMoves";

export function GamesFromHere({ lists, line, onPoint }: { lists: Tree; line: Line; onPoint: Point }) {
    const openGame = (game: ListedGame) => ({
        view: "games",
        game: game.ref,
        key: line.position?.key ?? null,
    });
    return (
        <>
            {(["topGames", "recentGames"] as const).map((name) => {
                const games = lists[name];
                if (games.length === 0) return null;
                return (
                    <div key={name} class="card">
                        <h2>{t(name)}</h2>
                        <GameList
                            games={games.map(rowOf)}
                            label={t(name)}
                            link={openGame}
                            onPoint={(game) => onPoint(game?.uci)}
                        />
                    </div>
                );
            })}
            <p>
                <a class="button" href={href({ view: "games", here: true })}>
                    {t("allGamesHere")}
                </a>
            </p>
        </>
    );
}
