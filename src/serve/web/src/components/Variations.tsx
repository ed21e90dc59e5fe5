// Variations as a tree: each on a line of its own, those inside it indented below the move that
// they replace. What has variations inside can be folded.
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { commentText } from "./comments";
import { moveNumber } from "./move-number";
import { Aside, MoveLink, type TreeLinks } from "./MoveLink";
import { sanText } from "./squares";
import type { Branch, TreeMove } from "./tree";

// How deep variations are open at first, unless the shown move is further inside.
const kOpen = 3;

interface BranchProps extends TreeLinks {
    branch: Branch;
    before: string; // FEN of the position that the branch begins with
    place: string; // of the branch: "12-0"; "" for the main line
    depth: number;
}

// The variations that replace a move.
export function Variations(
    props: TreeLinks & { of: TreeMove; before: string; place: string; depth?: number },
) {
    const { of, place, depth = 1 } = props;
    if (of.variations.length === 0) return null;
    return (
        <ul class="variations">
            {of.variations.map((branch, n) => (
                <Variation {...props} key={n} branch={branch} place={`${place}-${n}`} depth={depth} />
            ))}
        </ul>
    );
}

function Variation(props: BranchProps) {
    const { branch, place, shown, depth } = props;
    const inside = shown.startsWith(`${place}.`);
    const [chosen, choose] = useState<boolean | null>(null);
    const hasMore = branch.line.some((move) => move.variations.length > 0);
    const open = chosen ?? (depth < kOpen || inside);
    const first = branch.line[0];
    return (
        <li class={hasMore ? "foldable" : undefined}>
            {hasMore && (
                <button
                    type="button"
                    class="fold"
                    aria-expanded={open}
                    aria-label={t(open ? "foldVariation" : "unfoldVariation", {
                        move: first ? sanText(first.san) : "",
                    })}
                    onClick={() => choose(!open)}
                />
            )}
            <Moves {...props} folded={!open} />
        </li>
    );
}

// The moves of a branch. After a move that has variations these follow, and then the branch goes
// on, on a new line. Folded, only the moves up to the first variations are there.
export function Moves(props: BranchProps & { folded?: boolean }) {
    const { branch, place, shown, link, mark, depth, folded } = props;
    const parts: ComponentChild[] = [<Aside key="c" text={branch.comment} />];
    const first = branch.line.findIndex((move) => move.variations.length > 0);
    const end = folded && first >= 0 ? first + 1 : branch.line.length;
    let fresh = true; // the next move needs a number
    branch.line.slice(0, end).forEach((move, index) => {
        const before = index === 0 ? props.before : branch.line[index - 1]!.fen;
        const here = place === "" ? String(index + 1) : `${place}.${index + 1}`;
        const label = moveNumber(before, fresh);
        parts.push(
            <span class="ply" key={here}>
                {label && <span class="number">{label}</span>}
                <MoveLink
                    move={move}
                    place={here}
                    shown={shown}
                    link={link}
                    wayIn={index === 0 && place !== ""}
                />
                {mark && <> {mark(move)}</>}
            </span>,
            " ",
            <Aside key={`${here}c`} text={move.comment} />,
        );
        fresh = commentText(move.comment) !== "" || move.variations.length > 0;
        if (folded) return;
        parts.push(
            <Variations
                key={`${here}v`}
                of={move}
                before={before}
                place={here}
                shown={shown}
                link={link}
                mark={mark}
                depth={depth + 1}
            />,
        );
    });
    if (end < branch.line.length || (folded && first >= 0))
        parts.push(
            <span key="more" aria-hidden="true">
                …
            </span>,
        );
    return <>{parts}</>;
}
