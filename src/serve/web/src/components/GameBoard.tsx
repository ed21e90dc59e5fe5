// A game on a board beside a list. Buttons jump to the plies that matter; arrow keys move by one.
import type { ComponentChildren } from "preact";
import { useApi } from "../api";
import { date, t } from "../i18n";
import { go, href, useAddress } from "../state";
import type { Game } from "../types";
import { Board } from "./Board";
import { Failure } from "./Failure";
import { GameHeading } from "./GameCells";
import { Icon } from "./Icon";
import { useKeys } from "./keys";
import { numberedMove } from "./moves";
import { useInSight } from "./sight";
import { endsOf } from "./squares";

export interface GameBoardProps {
    game: string; // its ref
    ply: number;
    jumps: readonly number[] | ((game: Game) => readonly number[]); // ascending
    title: string; // of the jumps
    children?: ComponentChildren; // text about the game
}

const kMostJumps = 24;

export function GameBoard(props: GameBoardProps) {
    const { params } = useAddress();
    const { data, error } = useApi<Game>(`games/${props.game}`);
    const game = data && sameGame(data, props.game) ? data : undefined;
    const section = useInSight<HTMLElement>(game && props.game);
    const last = game?.moves.length ?? 0;
    const ply = Math.min(Math.max(props.ply, 0), last);
    const jumps = game ? (typeof props.jumps === "function" ? props.jumps(game) : props.jumps) : [];
    const flipped = params.get("flip") !== null;
    const step = (to: number | undefined) => {
        if (to !== undefined && to >= 0 && to <= last) go({ ply: to }, "replace");
    };
    useKeys({
        ArrowLeft: () => step(ply - 1),
        ArrowRight: () => step(ply + 1),
        ArrowUp: () => step(jumps.filter((one) => one < ply).pop()),
        ArrowDown: () => step(jumps.find((one) => one > ply)),
        f: () => go({ flip: !flipped }, "replace"),
    });
    if (error) return <Failure error={error} />;
    if (!game) return <p class="quiet">{t("loading")}</p>;

    const move = game.moves[ply - 1];
    const fen = move?.fen ?? game.fen;
    // If there are very many jumps, shows those around the current one.
    const near = jumps.findIndex((one) => one >= ply);
    const first = Math.max(
        0,
        Math.min((near < 0 ? jumps.length : near) - kMostJumps / 2, jumps.length - kMostJumps),
    );
    const button = (label: string, icon: Parameters<typeof Icon>[0]["name"], to: number | undefined) => (
        <button
            type="button"
            title={label}
            aria-label={label}
            disabled={to === undefined || to < 0 || to > last}
            onClick={() => step(to)}
        >
            <Icon name={icon} />
        </button>
    );
    return (
        <section ref={section} class="game-board" aria-label={t("openGame")}>
            <header>
                <GameHeading game={game} />
                <p class="quiet">
                    {[game.event !== "?" && game.event, date(game.date), game.eco]
                        .filter(Boolean)
                        .join(" · ")}
                </p>
            </header>
            <Board
                fen={fen}
                orientation={flipped ? "black" : "white"}
                lastMove={move ? endsOf(move.uci) : null}
            />
            <div class="walk" role="group" aria-label={t("walk")}>
                {button(t("previousTime"), "start", jumps.filter((one) => one < ply).pop())}
                {button(t("stepBack"), "back", ply - 1)}
                <span class="walk-move" aria-live="polite">
                    {move ? numberedMove(ply, move.san) : t("atStart")}
                </span>
                {button(t("stepOn"), "forward", ply + 1)}
                {button(t("nextTime"), "end", jumps.find((one) => one > ply))}
                <button
                    type="button"
                    title={t("flip")}
                    aria-label={t("flip")}
                    onClick={() => go({ flip: !flipped }, "replace")}
                >
                    <Icon name="flip" />
                </button>
            </div>
            {jumps.length > 0 && (
                <nav class="jumps" aria-label={props.title}>
                    <h3>{props.title}</h3>
                    <ol>
                        {jumps.slice(first, first + kMostJumps).map((one, index) => {
                            const before = game.moves[one - 1];
                            return (
                                <li key={one}>
                                    <a
                                        href={href({ ply: one })}
                                        aria-current={one === ply ? "step" : undefined}
                                    >
                                        <b>{first + index + 1}.</b>{" "}
                                        {before
                                            ? t("afterMove", { move: numberedMove(one, before.san) })
                                            : t("atStart")}
                                    </a>
                                </li>
                            );
                        })}
                        {jumps.length > kMostJumps && (
                            <li class="quiet">
                                {t("hitsMore", { n: jumps.length - kMostJumps })}
                            </li>
                        )}
                    </ol>
                </nav>
            )}
            {props.children}
            <p class="ways">
                <a href={href({ view: "games", game: props.game, ply: ply || null })}>{t("openGame")}</a>
                <a href={href({ view: "explorer", fen, play: null, at: null })}>
                    {t("openInExplorer")}
                </a>
            </p>
        </section>
    );
}

function sameGame(game: Game, ref: string): boolean {
    return (game.ref ?? String(game.game_id)) === ref;
}
