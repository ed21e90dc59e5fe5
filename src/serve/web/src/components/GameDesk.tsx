// The board of a game, on which moves can be tried, beside the game's moves.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApi } from "../api";
import { count, t } from "../i18n";
import { address, go, href } from "../state";
import type { GameMove, LegalMove, Position } from "../types";
import { Board } from "./Board";
import { drawnOn, withDrawn } from "./comments";
import { scoreTold } from "./Evaluation";
import type { Shown } from "./game-search";
import { GameCurves } from "./GameCurves";
import { GameHead } from "./GameHead";
import { scoreAfter, type PlayedGame } from "./game/played-game";
import { GameMoves } from "./GameMoves";
import { GameStrip } from "./GameStrip";
import { useKeys } from "./keys";
import { Pocket } from "./Pockets";
import { endsOf, pocketsOf, sideOf, type Side } from "./squares";
import {
    annotated,
    commentAt,
    lineThrough,
    placeBeside,
    resolve,
    wayTo,
    withMove,
} from "./tree";
import { useTried } from "./tried-moves";
import { Walk } from "./Walk";

export function GameDesk(props: {
    stored: PlayedGame;
    params: URLSearchParams;
    ways: ComponentChildren; // out of the game
    onShow: (shown: Shown) => void; // the board has another position
}) {
    const { stored, params, onShow } = props;
    const tried = useTried(stored);
    const { game } = tried;
    const [drop, setDrop] = useState<string | null>(null);
    const place = placeOf(game, params);
    const main = Number(place.split("-")[0]);
    const flipped = params.has("flip");
    const { move, fen } = resolve(game, place);
    const variant = isStandard(game) ? "" : game.variant;
    const legal = useLegal(variant, fen);
    useEffect(() => onShow({ fen, variant }), [fen, variant]);

    const walk = (to: number | string | null) => {
        const inside = typeof to === "string" || (to !== null && to >= 0 && to <= game.line.length);
        if (inside) go({ ply: to, key: null }, "replace");
    };
    // Keys come faster than the page is drawn.
    const step = (by: 1 | -1) => walk(placeBeside(game, placeOf(game, address().params), by));
    const play = ({ san, uci, fen: after }: LegalMove) => {
        const made = { san, uci, fen: after, tried: true };
        const grown = withMove(game, place, made);
        if (grown.tree !== game) tried.change((one) => withMove(one, place, made).tree);
        setDrop(null);
        walk(grown.place);
    };
    const forget = () => {
        tried.forget();
        walk(Math.min(main, stored.line.length));
    };
    const flip = () => go({ flip: !flipped }, "replace");
    useKeys({
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(game.line.length),
        f: flip,
    });

    const bottom: Side = flipped ? "black" : "white";
    const top: Side = flipped ? "white" : "black";
    const pockets = pocketsOf(fen);
    const pocket = (side: Side) =>
        pockets && (
            <Pocket
                side={side}
                pieces={pockets[side]}
                active={side === sideOf(fen)}
                chosen={drop}
                onChoose={setDrop}
            />
        );
    return (
        <>
            <section class="board-side" aria-label={t("position")}>
                <div class="board-stack">
                    <GameStrip game={stored} side={top} ply={main} />
                    {pocket(top)}
                    <Board
                        fen={fen}
                        orientation={bottom}
                        legal={legal}
                        onMove={play}
                        lastMove={move ? endsOf(move.uci) : null}
                        arrows={drawnOn(commentAt(game, place))}
                        onDraw={(arrow) =>
                            tried.change((one) =>
                                annotated(one, place, {
                                    comment: withDrawn(commentAt(one, place), arrow),
                                }),
                            )
                        }
                        onWheel={step}
                        drop={drop}
                        onDropped={() => setDrop(null)}
                        score={
                            place.includes("-")
                                ? scoreTold(move?.eval ?? null)
                                : scoreAfter(game, main - 1)
                        }
                    />
                    {pocket(bottom)}
                    <GameStrip game={stored} side={bottom} ply={main} />
                </div>
                <div class="under-board">
                    <Walk at={main} length={game.line.length} onGo={walk} onFlip={flip} />
                    <a class="button primary" href={explore(game, place)}>
                        {t("openExplorer")}
                    </a>
                    {tried.any && (
                        <button type="button" onClick={forget}>
                            {t("forgetTried")}
                        </button>
                    )}
                    {props.ways}
                </div>
            </section>
            <section class="card game-side">
                <GameHead game={stored} />
                <GameMoves game={game} place={place} />
                <p class="here" aria-live="polite">
                    {move ? hereText(move) : "\u00a0"}
                </p>
                <GameCurves game={stored} at={main} onPick={walk} />
            </section>
        </>
    );
}

function useLegal(variant: string, fen: string): readonly LegalMove[] | undefined {
    const { data, other } = useApi<Position>("position", [
        ["variant", variant],
        ["fen", fen],
    ]);
    return other ? undefined : data?.legal;
}

function isStandard({ variant }: PlayedGame): boolean {
    return variant === "standard" || variant === "";
}

// Returns the place in the address, or the first position with the key in the address.
function placeOf(game: PlayedGame, params: URLSearchParams): string {
    const ply = params.get("ply");
    if (ply !== null) {
        const main = Math.min(Math.max(0, parseInt(ply, 10) || 0), game.line.length);
        return ply.includes("-") ? ply : String(main);
    }
    const key = params.get("key");
    const found = key ? game.line.findIndex((move) => move.key === key) : -1;
    return String(found + 1);
}

// Returns the address of the explorer with the moves to a place and those that follow it.
function explore(game: PlayedGame, place: string): string {
    const standard = isStandard(game);
    const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const line = lineThrough(game, place);
    const at = wayTo(game, place).length;
    return href({
        view: "explorer",
        variant: standard ? null : game.variant,
        fen: standard && game.fen === start ? null : game.fen,
        play: line.map((move) => move.uci).join(","),
        at: at === line.length ? null : at,
    });
}

function hereText(move: GameMove): string {
    const parts = [];
    if (typeof move.reached === "number")
        parts.push(count(move.reached, "reachedOnce", "reachedBy"));
    if ((move.occurrence ?? 1) > 1) parts.push(t("occurrenceNth", { n: move.occurrence! }));
    return parts.join(" · ") || "\u00a0";
}
