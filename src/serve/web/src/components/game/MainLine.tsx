// The main line of a game: a row for each full move, interrupted by comments and variations.
import type { JSX } from "preact";
import { commentText } from "../comments";
import { moveNumber } from "../move-number";
import { MoveLink } from "../MoveLink";
import { Variations } from "../Variations";
import { Marks, Reached } from "./MoveFigures";
import { scoreAfter, type PlayedGame } from "./played-game";

const linkOf = (place: string) => ({ ply: place, key: null });

export function MainLine({ game, place, most }: { game: PlayedGame; place: string; most: number }) {
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
                <MoveLink move={move} place={String(index + 1)} shown={place} link={linkOf} />
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
                        move={move}
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

export function Comment({ text }: { text: string | null }) {
    const shown = commentText(text);
    return shown ? <p class="comment">{shown}</p> : null;
}
