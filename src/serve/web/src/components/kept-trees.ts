// The explorer's moves with variations, kept in this browser: the tree in work, and trees that have
// a name.
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, setting } from "../settings";
import { go, type Changes } from "../state";
import type { Line } from "./line";
import { lineThrough, placeAfter, withLine, wayTo, type MoveTree } from "./tree";

export interface KeptTree extends MoveTree {
    variant: string; // "" for standard
    name: string; // "": it has none yet
}

function read<T>(name: string, otherwise: T): T {
    try {
        return JSON.parse(setting(name) ?? "") as T;
    } catch {
        return otherwise; // nothing was kept
    }
}

export function namedTrees(): KeptTree[] {
    return read<KeptTree[]>("trees", []);
}

// Keeps a tree under its name, in place of one that had it.
export function keepNamed(tree: KeptTree): void {
    const others = namedTrees().filter(({ name }) => name !== tree.name);
    keep("trees", JSON.stringify([...others, tree]));
}

export function forgetNamed(name: string): void {
    keep("trees", JSON.stringify(namedTrees().filter((one) => one.name !== name)));
}

// Returns the address that shows a place of a tree, with the moves that follow it.
export function linkIn(tree: KeptTree, place: string): Changes {
    const whole = lineThrough(tree, place);
    const at = wayTo(tree, place).length;
    return {
        play: whole.map((move) => move.uci).join(","),
        at: at === whole.length ? null : at,
    };
}

let current: KeptTree | null = read<KeptTree | null>("tree", null);
let replaced: KeptTree | null = null; // the last tree without a name that had to go

// Lets another tree take the place of the current one.
function leave(): void {
    if (current && current.name === "" && current.line.length > 0) replaced = current;
    current = null;
}

export interface TreeInWork {
    tree: KeptTree;
    place: string; // that the board shows
    change: (tree: KeptTree, place: string) => void;
    restart: () => void; // with an empty tree; one with a name stays kept
    bringBack: (() => void) | null; // shows the tree that had to go
}

function freshTree(line: Line): KeptTree {
    const empty = { variant: line.variant, name: "", fen: line.start, comment: null, line: [] };
    return withLine(empty, line.moves);
}

// Adds the line of the address to the tree, so that a sideline does not replace what was there. A
// line from elsewhere that the tree does not have begins a new tree.
export function useTree(line: Line): TreeInWork {
    const [, redraw] = useState(0);
    const arriving = useRef(true);
    const known = line.position !== undefined && line.moves.every(({ fen }) => fen !== "");
    let tree = current ?? freshTree({ ...line, moves: [] });
    if (known) {
        const same = tree.variant === line.variant && tree.fen === line.start;
        const there = same && placeAfter(tree, line.play) !== null;
        if (!there && same && !arriving.current) tree = withLine(tree, line.moves);
        else if (!there) {
            leave();
            tree = freshTree(line);
        }
        arriving.current = false;
        current = tree;
    }
    useEffect(() => {
        keep("tree", JSON.stringify(tree));
        if (tree.name !== "") keepNamed(tree);
    }, [tree]);
    const change = (to: KeptTree, place: string) => {
        current = to;
        const address = linkIn(to, place);
        go(address, "replace");
        redraw((n) => n + 1);
    };
    const restart = () => {
        leave();
        go({ fen: null, play: null, at: null });
        redraw((n) => n + 1);
    };
    const before = tree.line.length === 0 ? replaced : null;
    return {
        tree,
        place: placeAfter(tree, line.play.slice(0, line.at)) ?? "0",
        change,
        restart,
        bringBack: before && (() => openTree(before)),
    };
}

// Shows a tree that was kept.
export function openTree(tree: KeptTree): void {
    current = tree;
    const standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    go({
        variant: tree.variant,
        fen: tree.fen === standard && tree.variant === "" ? null : tree.fen,
        ...linkIn(tree, "0"),
    });
}
