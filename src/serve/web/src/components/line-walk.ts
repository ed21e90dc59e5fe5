// The walk to the position shown, and on to the end of its line; also by keys.
import { go } from "../state";
import { linkIn, type TreeInWork } from "./kept-trees";
import { useKeys } from "./keys";
import type { Line } from "./line";
import { lineThrough, placeAfter } from "./tree";

export function useLineWalk(props: {
    line: Line;
    work: TreeInWork;
    flipped: boolean;
    onLeave: () => void;
}) {
    const { line, work } = props;
    const moves = lineThrough(work.tree, work.place).map(({ uci }) => uci);
    const walk = (at: number) => {
        if (at < 0 || at > moves.length) return;
        props.onLeave();
        const to = placeAfter(work.tree, moves.slice(0, at));
        if (to !== null) go(linkIn(work.tree, to), "replace");
    };
    const flip = () => go({ flip: !props.flipped }, "replace");
    useKeys({
        ArrowLeft: () => walk(line.at - 1),
        ArrowRight: () => walk(line.at + 1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(moves.length),
        f: flip,
    });
    return { length: moves.length, walk, flip };
}
