// Games as a list of links: wide rows, or compact ones where there is little room.
import type { ComponentChildren } from "preact";
import { date, t } from "../i18n";
import { href, type Changes } from "../state";
import { useRoving } from "./keys";
import { openGame, resultText, winner, type ListedGame } from "./listed-game";
import { sanText } from "./squares";

interface GameListProps {
    games: readonly ListedGame[];
    label: string;
    selected?: string | null; // the ref of the open game
    link?: (game: ListedGame) => Changes; // what a click changes; opens the game if absent
    onPoint?: (game: ListedGame | null) => void; // hovered or focused
    heads?: ComponentChildren; // of the columns, above wide rows
}

export function GameList(props: GameListProps) {
    const list = useRoving<HTMLOListElement>("a");
    const link = props.link ?? openGame;
    return (
        <div class="game-list-box">
            {props.heads}
            <ol
                ref={list}
                class="game-list"
                aria-label={props.label}
                onMouseLeave={() => props.onPoint?.(null)}
            >
                {props.games.map((game) => (
                    <li key={`${game.ref} ${game.ply ?? ""}`}>
                        <a
                            href={href(link(game))}
                            aria-current={props.selected === game.ref ? "true" : undefined}
                            onMouseEnter={() => props.onPoint?.(game)}
                            onFocus={() => props.onPoint?.(game)}
                            onBlur={() => props.onPoint?.(null)}
                        >
                            <Player name={game.white} elo={game.white_elo} side="white" />{" "}
                            <span class={`result result-${winner(game.result)}`}>
                                {resultText(game.result)}
                            </span>{" "}
                            <Player name={game.black} elo={game.black_elo} side="black" />{" "}
                            <span class="when">
                                <span class="long">{date(game.date)}</span>
                                <span class="short">
                                    {game.date?.slice(0, 4).replace("????", "")}
                                </span>
                            </span>{" "}
                            <span class="event">{game.event !== "?" && game.event}</span>{" "}
                            <span class="eco">{game.eco}</span> <LastColumn game={game} />
                        </a>
                    </li>
                ))}
            </ol>
        </div>
    );
}

// The last column: for games with a position, the move that followed; else the length of the game.
function LastColumn({ game }: { game: ListedGame }) {
    if (game.san !== undefined)
        return (
            <span class="plies next" title={t("nextMove")}>
                {game.san && sanText(game.san)}
            </span>
        );
    return (
        <span class="plies" title={t("movesPlayed")}>
            {typeof game.plies === "number" && Math.ceil(game.plies / 2)}
        </span>
    );
}

function Player(props: { name: string | null; elo: number | null; side: "white" | "black" }) {
    return (
        <span class={`name ${props.side}`}>
            <span class="who">{props.name && props.name !== "?" ? props.name : t("unknown")}</span>{" "}
            {props.elo ? <span class="elo">{props.elo}</span> : null}
        </span>
    );
}
