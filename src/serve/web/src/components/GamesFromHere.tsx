// Some of the games that came to a position.
import { t } from "../i18n";
import { href } from "../state";
import type { Side } from "./Databases";
import { GameList } from "./GameList";
import { rowOf, type ListedGame } from "./listed-game";
import type { Line } from "./line";
import type { Point } from "./PlayedMoves";

interface Props {
    sides: readonly Side[];
    line: Line;
    onPoint: Point;
}

export function GamesFromHere({ sides, line, onPoint }: Props) {
    if (!sides.some(({ tree }) => tree.data && tree.data.games > 0)) return null;
    const openGame = (game: ListedGame) => ({
        view: "games",
        game: game.ref,
        key: line.position?.key ?? null,
    });
    return (
        <>
            {(["topGames", "recentGames"] as const).flatMap((list) =>
                sides.map(({ name, tree }) => {
                    const games = tree.data?.[list] ?? [];
                    if (games.length === 0) return null;
                    const heading = name ? `${t(list)} · ${name}` : t(list);
                    return (
                        <div key={heading} class="card">
                            <h2>{heading}</h2>
                            <GameList
                                games={games.map(rowOf)}
                                label={heading}
                                link={openGame}
                                onPoint={(game) => onPoint(game?.uci)}
                            />
                        </div>
                    );
                }),
            )}
            <p>
                <a class="button" href={href({ view: "games", here: true })}>
                    {t("allGamesHere")}
                </a>
            </p>
        </>
    );
}
