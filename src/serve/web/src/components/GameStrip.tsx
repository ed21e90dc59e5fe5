// A player of a game beside the board, with the clock.
import { t } from "../i18n";
import { href } from "../state";
import { clockText, type PlayedGame } from "./game/played-game";
import type { Side } from "./squares";

function lastClock(game: PlayedGame, ply: number, side: Side): number | null {
    for (let index = Math.min(ply, game.line.length) - 1; index >= 0; index--) {
        const move = game.line[index]!;
        const mover = / b /.test(move.fen) ? "white" : "black";
        if (mover === side && typeof move.clock === "number") return move.clock;
    }
    return null;
}

export function GameStrip({ game, side, ply }: { game: PlayedGame; side: Side; ply: number }) {
    const elo = side === "white" ? game.white_elo : game.black_elo;
    const clock = lastClock(game, ply, side);
    return (
        <p class={`strip ${side}`}>
            <span class="dot" title={t(side)} aria-hidden="true" />
            <a href={href({ view: "player", name: game[side] })}>{game[side]}</a>
            {elo ? <span class="elo">{elo}</span> : null}
            {clock !== null && (
                <span class="clock">
                    <span class="hidden">{t("clock")} </span>
                    {clockText(clock)}
                </span>
            )}
        </p>
    );
}
