// A move in a tree, and the comments between moves.
import type { ComponentChild } from "preact";
import { t } from "../i18n";
import { href, type Changes } from "../state";
import { commentText } from "./comments";
import { nagsText } from "./nags";
import { sanText } from "./squares";
import type { TreeMove } from "./tree";

export interface TreeLinks {
    shown: string; // the place that the board shows
    link: (place: string) => Changes;
    mark?: (move: TreeMove) => ComponentChild; // stands after the move
}

// The first move of a variation is a stop of the Tab key, because the arrow keys pass it.
export function MoveLink(props: TreeLinks & { move: TreeMove; place: string; wayIn?: boolean }) {
    const { move, place } = props;
    return (
        <a
            class={[props.wayIn && "way-in", move.tried && "tried"].filter(Boolean).join(" ")}
            title={move.tried ? t("triedMove") : undefined}
            href={href(props.link(place))}
            aria-current={props.shown === place ? "step" : undefined}
        >
            {sanText(move.san)}
            {nagsText(move.nags)}
        </a>
    );
}

// The move after its number, if it needs one, and before its mark.
export function NumberedMove(
    props: TreeLinks & { move: TreeMove; place: string; number: string; wayIn: boolean },
) {
    const { number, mark, ...link } = props;
    return (
        <span class="ply">
            {number && <span class="number">{number}</span>}
            <MoveLink {...link} />
            {mark && <> {mark(link.move)}</>}
        </span>
    );
}

export function Aside({ text }: { text: string | null }) {
    const shown = commentText(text);
    return shown ? <span class="comment">{shown} </span> : null;
}
