// Variations as a tree: each on a line of its own, those inside it indented below the move that
// they replace. What has variations inside can be folded.
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { pliesOf } from "./branch-plies";
import { Fold } from "./Fold";
import { Aside, NumberedMove, type TreeLinks } from "./MoveLink";
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

// The variations that replace a move, which stands at a place.
export function Variations(
    props: Omit<BranchProps, "branch" | "depth"> & { move: TreeMove; depth?: number },
) {
    const { move, place, depth = 1, ...others } = props;
    if (move.variations.length === 0) return null;
    return (
        <ul class="variations">
            {move.variations.map((branch, n) => (
                <Variation
                    key={n}
                    {...others}
                    branch={branch}
                    place={`${place}-${n}`}
                    depth={depth}
                />
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
    const move = sanText(branch.line[0]?.san ?? "");
    return (
        <li class={hasMore ? "foldable" : undefined}>
            {hasMore && (
                <Fold
                    open={open}
                    label={t(open ? "foldVariation" : "unfoldVariation", { move })}
                    onToggle={choose}
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
    const links: TreeLinks = { shown, link, mark };
    const parts: ComponentChild[] = [<Aside key="c" text={branch.comment} />];
    const first = branch.line.findIndex((move) => move.variations.length > 0);
    const plies = pliesOf(branch, props.before, place);
    for (const { number, ...ply } of folded && first >= 0 ? plies.slice(0, first + 1) : plies) {
        const { move } = ply;
        parts.push(
            <NumberedMove
                key={ply.place}
                {...links}
                move={move}
                place={ply.place}
                number={number}
                wayIn={move === branch.line[0] && place !== ""}
            />,
            " ",
            <Aside key={`${ply.place}c`} text={move.comment} />,
        );
        if (!folded)
            parts.push(<Variations key={`${ply.place}v`} {...links} {...ply} depth={depth + 1} />);
    }
    return (
        <>
            {parts}
            {folded && first >= 0 && <span aria-hidden="true">…</span>}
        </>
    );
}
