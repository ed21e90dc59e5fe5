// One game: its board, its moves with annotations, clocks and evaluation.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { url, useApi } from "../api";
import { count, date, number, t } from "../i18n";
import { go, href } from "../state";
import { useTitle } from "../title";
import type { Game, GameMove } from "../types";
import { Board } from "./Board";
import { drawnOn } from "./comments";
import { Curve } from "./Curve";
import { centipawns, scoreText, scoreTold } from "./Evaluation";
import { Failure } from "./Failure";
import {
    clockText,
    GameMoves,
    isPlayed,
    scoreAfter,
    type PlayedGame,
} from "./GameMoves";
import { Icon } from "./Icon";
import { resultText } from "./GameList";
import { useKeys } from "./keys";
import { Walk } from "./Walk";
import { Pocket } from "./Pockets";
import { useInSight } from "./sight";
import { lineThrough, placeBeside, resolve, wayTo } from "./tree";
import { endsOf, pocketsOf, sanText, type Side } from "./squares";

function lastClock(game: PlayedGame, ply: number, side: Side): number | null {
    for (let index = Math.min(ply, game.line.length) - 1; index >= 0; index--) {
        const move = game.line[index]!;
        const mover = / b /.test(move.fen) ? "white" : "black";
        if (mover === side && typeof move.clock === "number") return move.clock;
    }
    return null;
}

export function GameView({ reference, params }: { reference: string; params: URLSearchParams }) {
    // `reached` takes a look-up for each ply, so the game is shown before these numbers arrive.
    const path = `games/${encodeURIComponent(reference)}`;
    const plain = useApi<Game>(path);
    const whole = useApi<Game>(path, [
        ["reached", true],
        ["errors", true],
    ]);
    const answer = whole.data && !whole.other ? whole : plain;
    const found = answer.data;
    const game = found && isPlayed(found) ? found : undefined;
    const place = game ? placeOf(game, params) : "0";
    const flipped = params.has("flip");
    const main = Number(place.split("-")[0]);
    useTitle(found && `${found.white} – ${found.black} ${resultText(found.result)}`);

    const walk = (to: number | string | null) => {
        if (!game || to === null) return;
        const inside = typeof to === "string" || (to >= 0 && to <= game.line.length);
        if (inside) go({ ply: to, key: null }, "replace");
    };
    const step = (by: 1 | -1) => walk(game ? placeBeside(game, place, by) : null);
    const flip = () => go({ flip: !flipped }, "replace");
    const article = useInSight<HTMLElement>(found && reference);
    useKeys({
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(game?.line.length ?? 0),
        f: flip,
    });

    const error = plain.error ?? (found ? undefined : whole.error);
    if (error)
        return (
            <div class="card">
                {error.status === 404 ? (
                    <p class="failure" role="alert">
                        {t("gameNotFound")}
                    </p>
                ) : (
                    <Failure error={error} again={plain.again} />
                )}
            </div>
        );
    if (!found) return <p class="quiet">{t("loading")}</p>;
    if (!game)
        return (
            <article ref={article} class="card" aria-label={`${found.white} – ${found.black}`}>
                <GameHead game={found} />
                <p class="failure">{t("notReplayed")}</p>
                <div class="under-board">
                    <Ways reference={reference} />
                </div>
            </article>
        );

    const { move, fen } = resolve(game, place);
    const bottom: Side = flipped ? "black" : "white";
    const top: Side = flipped ? "white" : "black";
    const pockets = pocketsOf(fen);
    const score = place.includes("-")
        ? scoreTold(move?.eval ?? null)
        : scoreAfter(game, main - 1);
    return (
        <article ref={article} class="game" aria-label={`${game.white} – ${game.black}`}>
            <section class="board-side" aria-label={t("position")}>
                <div class="board-stack">
                    <Strip game={game} side={top} ply={main} />
                    {pockets && <Pocket side={top} pieces={pockets[top]} />}
                    <Board
                        fen={fen}
                        orientation={bottom}
                        lastMove={move ? endsOf(move.uci) : null}
                        check={move ? /[+#]/.test(move.san) : false}
                        arrows={drawnOn(move ? move.comment : game.comment)}
                        score={score}
                    />
                    {pockets && <Pocket side={bottom} pieces={pockets[bottom]} />}
                    <Strip game={game} side={bottom} ply={main} />
                </div>
                <div class="under-board">
                    <Walk at={main} length={game.line.length} onGo={walk} onFlip={flip} />
                    <Ways reference={reference}>
                        <a class="button primary" href={explore(game, place)}>
                            {t("openExplorer")}
                        </a>
                    </Ways>
                </div>
            </section>
            <section class="card game-side">
                <GameHead game={game} />
                <GameMoves game={game} place={place} />
                <p class="here" aria-live="polite">
                    {move ? hereText(move) : "\u00a0"}
                </p>
                <Curves game={game} at={main} onPick={walk} />
            </section>
        </article>
    );
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
    const standard = game.variant === "standard" || game.variant === "";
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

// The ways out of the game.
function Ways({ reference, children }: { reference: string; children?: ComponentChildren }) {
    return (
        <>
            {children}
            <a
                class="button"
                href={url(`games/${encodeURIComponent(reference)}.pgn`)}
                download={`${reference.replace(":", "-")}.pgn`}
            >
                PGN
            </a>
            <a
                class="button"
                href={href({ game: null, ply: null, key: null })}
                title={t("closeGame")}
                aria-label={t("closeGame")}
            >
                <Icon name="close" />
            </a>
        </>
    );
}

function Strip({ game, side, ply }: { game: PlayedGame; side: Side; ply: number }) {
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

function GameHead({ game }: { game: Game }) {
    const known = (text: string | null) => (text && text !== "?" ? text : null);
    const site = known(game.site);
    const online = site !== null && /^https?:\/\/[^\s]+$/.test(site);
    const where = [known(game.event), online ? null : site, date(game.date)].filter(Boolean);
    return (
        <header class="game-head">
            <h2>
                {game.white} – {game.black} <span class="score">{resultText(game.result)}</span>
            </h2>
            <p class="quiet">
                {where.join(" · ")}
                {known(game.round) && ` (${game.round})`} {game.eco && <b>{game.eco}</b>}
                {game.variant !== "standard" && ` · ${game.variant}`}
                {game.database && ` · ${game.database.replace(/^.*\//, "")}`}
                {online && (
                    <>
                        {" · "}
                        <a href={site} rel="noreferrer">
                            {site.replace(/^https?:\/\//, "")}
                        </a>
                    </>
                )}
            </p>
            {game.errors?.map((error, index) => (
                <p class="failure" key={index}>
                    {t("errorsInGame", { reason: error.reason })}
                </p>
            ))}
            <details class="tags">
                <summary>{t("tags")}</summary>
                <dl>
                    {Object.entries(game.tags).map(([name, value]) => (
                        <div key={name}>
                            <dt>{name}</dt>
                            <dd>{value}</dd>
                        </div>
                    ))}
                </dl>
            </details>
        </header>
    );
}

function Curves(props: { game: PlayedGame; at: number; onPick: (ply: number) => void }) {
    const { game, at } = props;
    const curves = useMemo(() => {
        const x = game.line.map((move) => move.ply);
        const scores = game.line.map((_, index) => scoreAfter(game, index));
        const evals = scores.map((score) => score && centipawns(score) / 100);
        const clock = (side: string) =>
            game.line.map((move) =>
                (/ b /.test(move.fen) ? "white" : "black") === side ? move.clock : null,
            );
        return { x, scores, evals, white: clock("white"), black: clock("black") };
    }, [game]);
    const some = (values: (number | null)[]) => values.filter((v) => v !== null).length > 1;
    const xSteps = [2, 4, 10, 20, 40, 100, 200, 400]; // plies, for round numbers of moves
    const xText = (ply: number) => String(Math.ceil(ply / 2));
    const name = (index: number) => {
        const move = game.line[index]!;
        return `${Math.ceil(move.ply / 2)}${move.ply % 2 ? "." : "…"} ${sanText(move.san)}`;
    };
    return (
        <>
            {some(curves.evals) && (
                <figure>
                    <figcaption>{t("evaluation")}</figcaption>
                    <Curve
                        x={curves.x}
                        lines={[
                            {
                                label: t("evaluation"),
                                values: curves.evals,
                                color: "--accent",
                                fill: "--accent-soft",
                            },
                        ]}
                        label={t("evaluation")}
                        xText={xText}
                        xSteps={xSteps}
                        yText={(y) => number(y)}
                        read={(index) => {
                            const score = curves.scores[index];
                            return `${name(index)}: ${score ? scoreText(score) : ""}`;
                        }}
                        height={130}
                        range={[-10, 10]}
                        at={at - 1}
                        onPick={(index) => props.onPick(index + 1)}
                    />
                </figure>
            )}
            {(some(curves.white) || some(curves.black)) && (
                <figure>
                    <figcaption>
                        {t("clock")}: <span class="key key-white">{t("white")}</span>{" "}
                        <span class="key key-black">{t("black")}</span>
                    </figcaption>
                    <Curve
                        x={curves.x}
                        lines={[
                            { label: t("white"), values: curves.white, color: "--accent" },
                            { label: t("black"), values: curves.black, color: "--warn" },
                        ]}
                        label={t("clock")}
                        xText={xText}
                        xSteps={xSteps}
                        yText={clockText}
                        ySteps={[1, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 7200]}
                        read={(index) =>
                            `${name(index)}: ${clockText(game.line[index]!.clock ?? 0)}`
                        }
                        height={110}
                        at={at - 1}
                        onPick={(index) => props.onPick(index + 1)}
                    />
                </figure>
            )}
        </>
    );
}
