// The board of a game, on which moves can be tried, beside the game's moves.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { count, t } from "../i18n";
import type { GameMove } from "../types";
import { BoardStack } from "./BoardStack";
import { drawnOn } from "./comments";
import type { Shown } from "./game-search";
import { useDeskWalk } from "./game/desk-walk";
import { explorerLink, isStandard, mainPly, scoreAt } from "./game/game-place";
import type { PlayedGame } from "./game/played-game";
import { GameCurves } from "./GameCurves";
import { GameHead } from "./GameHead";
import { GameMoves } from "./GameMoves";
import { GameStrip } from "./GameStrip";
import { IconButton } from "./Icon";
import { useLegal } from "./legal";
import { endsOf } from "./squares";
import { commentAt, resolve } from "./tree";
import { Walk } from "./Walk";

export function GameDesk(props: {
    stored: PlayedGame;
    params: URLSearchParams;
    ways: ComponentChildren; // out of the game
    onShow: (shown: Shown) => void; // the board has another position
}) {
    const { stored, params, onShow } = props;
    const desk = useDeskWalk(stored, params);
    const { game, place } = desk;
    const main = mainPly(place);
    const { move, fen } = resolve(game, place);
    const variant = isStandard(game) ? "" : game.variant;
    const legal = useLegal(variant, fen);
    useEffect(() => onShow({ fen, variant }), [fen, variant]);
    return (
        <>
            <section class="board-side card" aria-label={t("position")}>
                <BoardStack
                    fen={fen}
                    orientation={params.has("flip") ? "black" : "white"}
                    legal={legal}
                    onMove={desk.play}
                    lastMove={move ? endsOf(move.uci) : null}
                    arrows={drawnOn(commentAt(game, place))}
                    onDraw={desk.draw}
                    onWheel={desk.step}
                    score={scoreAt(game, place, move)}
                    player={(side) => <GameStrip game={stored} side={side} ply={main} />}
                />
                <div class="under-board">
                    <Walk at={main} length={game.line.length} onGo={desk.walk} onFlip={desk.flip} />
                    <a
                        class="button primary"
                        href={explorerLink(game, place)}
                        title={t("exploreFromHere")}
                        aria-label={t("exploreFromHere")}
                    >
                        {t("explore")}
                    </a>
                    {desk.anyTried && (
                        <IconButton label={t("forgetTried")} icon="restart" onClick={desk.forget} />
                    )}
                    {props.ways}
                </div>
            </section>
            <section class="card game-side">
                <GameHead game={stored} />
                <GameMoves game={game} place={place} />
                <p class="here" aria-live="polite">
                    {(move && factsOf(move)) || "\u00a0"}
                </p>
                <GameCurves game={stored} at={main} onPick={desk.walk} />
            </section>
        </>
    );
}

// What is known of the position after a move.
function factsOf(move: GameMove): string {
    const parts = [];
    if (typeof move.reached === "number")
        parts.push(count(move.reached, "reachedOnce", "reachedBy"));
    if ((move.occurrence ?? 1) > 1) parts.push(t("occurrenceNth", { n: move.occurrence! }));
    return parts.join(" · ");
}
