// Games as a list of links: wide rows, or compact ones where there is little room.
import type { ComponentChildren } from "preact";
import { date, t } from "../i18n";
import { href, type Changes } from "../state";
import type { GameFromHere, Hit, LastGame } from "../types";
import { useRoving } from "./keys";
import { sanText } from "./squares";

// Returns "½–½" for "1/2-1/2".
export function resultText(result: string | null | undefined): string {
    if (!result || result === "*") return "*";
    return result.replace(/1\/2/g, "½").replace("-", "–");
}

// What a list shows of a game. Rows of games and of find have all of it.
export interface ListedGame extends LastGame, Partial<Pick<Hit, "ply" | "san" | "uci">> {
    ref: string;
    plies?: number | number[]; // the length of the game, or where the position is
}

export function rowOf(game: GameFromHere): ListedGame {
    return {
        game_id: game.game_id,
        ref: game.ref,
        white: game.white.name,
        black: game.black.name,
        white_elo: game.white.rating,
        black_elo: game.black.rating,
        result: game.result,
        date: game.date,
        event: game.event,
        site: null,
        round: null,
        eco: null,
        uci: game.uci,
    };
}

export interface GameListProps {
    games: readonly ListedGame[];
    label: string;
    selected?: string | null; // the ref of the open game
    link?: (game: ListedGame) => Changes; // what a click changes; opens the game if absent
    onPoint?: (game: ListedGame | null) => void; // hovered or focused
    heads?: ComponentChildren; // of the columns, above wide rows
}

export function openGame(game: ListedGame): Changes {
    return { view: "games", game: game.ref, ply: game.ply };
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
                                <span class="short">{game.date?.slice(0, 4).replace("????", "")}</span>
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

export function winner(result: string | null | undefined): "white" | "black" | "draw" | "none" {
    if (result === "1-0") return "white";
    if (result === "0-1") return "black";
    return result === "1/2-1/2" ? "draw" : "none";
}

function Player(props: { name: string | null; elo: number | null; side: "white" | "black" }) {
    return (
        <span class={`name ${props.side}`}>
            <span class="who">{props.name && props.name !== "?" ? props.name : t("unknown")}</span>{" "}
            {props.elo ? <span class="elo">{props.elo}</span> : null}
        </span>
    );
}
