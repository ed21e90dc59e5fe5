// The moves of a game with comments, annotation signs and nested variations. Each move is a link
// to its position, whose place is written as in a tree of moves.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { count, number, shortNumber, t } from "../i18n";
import { href } from "../state";
import type { Game, GameMove } from "../types";
import { commentText } from "./comments";
import { scoreText, scoreTold, type Score } from "./Evaluation";
import { useRoving } from "./keys";
import { moveNumber } from "./move-number";
import { MoveLink } from "./MoveLink";
import { Variations } from "./Variations";

// A game that the server could replay. It has no moves of games by rules that it does not know.
export type PlayedGame = Game & { fen: string; line: GameMove[] };

export function isPlayed(game: Game): game is PlayedGame {
    return game.fen !== null && game.line !== null;
}

// 3723 -> "1:02:03"
export function clockText(seconds: number): string {
    const whole = Math.floor(seconds);
    const h = Math.floor(whole / 3600);
    const m = Math.floor((whole % 3600) / 60);
    const pad = (n: number) => String(n).padStart(2, "0");
    return `${h > 0 ? `${h}:${pad(m)}` : m}:${pad(whole % 60)}`;
}

// Returns the score after a move of the main line: the game's own, else that of a record.
export function scoreAfter(game: PlayedGame, index: number): Score | null {
    return scoreTold(game.line[index]?.eval ?? null) ?? game.record_evals?.[index] ?? null;
}

const linkOf = (place: string) => ({ ply: place, key: null });

export function GameMoves({ game, place }: { game: PlayedGame; place: string }) {
    const list = useRoving<HTMLDivElement>("a:not(.way-in)", null);
    useEffect(() => {
        const shown = list.current?.querySelector("[aria-current]");
        const box = list.current;
        if (!(shown instanceof HTMLElement) || !box) return;
        // Only the list scrolls, not the page.
        const top = shown.offsetTop - box.clientHeight / 2;
        box.scrollTo({ top: Math.max(0, top) });
    }, [place, game]);
    const most = Math.max(1, game.line[0]?.reached ?? 1);
    return (
        <div ref={list} class="game-moves" role="group" aria-label={t("gameMoves")}>
            <p class="start-link">
                <a
                    href={href({ ply: 0, key: null })}
                    aria-current={place === "0" ? "step" : undefined}
                >
                    {t("gameStart")}
                </a>
                {typeof game.line[0]?.reached === "number" && <span>{t("reachedLegend")}</span>}
            </p>
            <Comment text={game.comment} />
            <MainLine game={game} place={place} most={most} />
        </div>
    );
}

// The main line: a row for each full move, interrupted by comments and variations.
function MainLine({ game, place, most }: { game: PlayedGame; place: string; most: number }) {
    const rows: JSX.Element[] = [];
    let cells: JSX.Element[] = [];
    let key = 0;
    const flush = () => {
        if (cells.length > 0)
            rows.push(
                <div class="pair" key={key++}>
                    {cells}
                </div>,
            );
        cells = [];
    };
    game.line.forEach((move, index) => {
        const before = index === 0 ? game.fen : game.line[index - 1]!.fen;
        const label = moveNumber(before, cells.length === 0);
        if (!label.endsWith("…") && label !== "") flush();
        if (cells.length === 0) {
            cells.push(
                <span class="number" key="n">
                    {label.replace("…", ".")}
                </span>,
            );
            if (label.endsWith("…"))
                cells.push(
                    <span class="gap" key="g">
                        …
                    </span>,
                );
        }
        cells.push(
            <span class="cell" key={index}>
                <MoveLink
                    move={move}
                    place={String(index + 1)}
                    shown={place}
                    link={linkOf}
                />
                <Marks move={move} score={scoreAfter(game, index)} />
                {typeof move.reached === "number" && <Reached n={move.reached} most={most} />}
            </span>,
        );
        if (commentText(move.comment) || move.variations.length > 0) {
            flush();
            rows.push(
                <div class="aside" key={key++}>
                    <Comment text={move.comment} />
                    <Variations
                        of={move}
                        before={before}
                        place={String(index + 1)}
                        shown={place}
                        link={linkOf}
                    />
                </div>,
            );
        }
    });
    flush();
    return <>{rows}</>;
}

// The score and the clock after a move.
function Marks({ move, score }: { move: GameMove; score: Score | null }) {
    return (
        <span class="marks">
            {score && <span title={t("evaluation")}>{scoreText(score)}</span>}
            {typeof move.clock === "number" && (
                <span title={t("clock")}>{clockText(move.clock)}</span>
            )}
        </span>
    );
}

// The number of games that reached the position, with a line whose length is its logarithm.
function Reached({ n, most }: { n: number; most: number }) {
    const width = n <= 1 ? 0 : (100 * Math.log(n)) / Math.log(Math.max(most, 2));
    const label = n <= 1 ? t("reachedOnce") : count(n, "reachedOnce", "reachedBy");
    return (
        <span class={`reach ${n <= 1 ? "new" : ""}`} title={label}>
            <span class="hidden">{label}</span>
            <span aria-hidden="true">{n <= 1 ? "" : n < 10000 ? number(n) : shortNumber(n)}</span>
            <i style={{ width: `${Math.min(100, width)}%` }} />
        </span>
    );
}

function Comment({ text }: { text: string | null }) {
    const shown = commentText(text);
    return shown ? <p class="comment">{shown}</p> : null;
}
