// Moves with variations, of games and of the explorer. A place in a tree is written as the way to
// it: "12" is the twelfth move of the main line, "12-0.3" the third move of the first variation
// that replaces that move, "0" the start. Functions that change a tree return another one.
import type { GameMove } from "../types";

// What a tree knows of a move. Moves of games have more members.
export interface TreeMove extends Pick<GameMove, "san" | "uci" | "fen" | "comment" | "nags"> {
    variations: Branch[]; // that replace this move
    tried?: boolean; // it is no move of the game
}

export interface Branch {
    comment: string | null; // before its first move
    line: TreeMove[];
}

export interface MoveTree extends Branch {
    fen: string; // of the start
}

// Where a move is: in which line, which one of it, and the branches passed on the way there.
interface Spot {
    line: TreeMove[]; // the line that has the move
    index: number; // of the move in the line; -1: the start
    outer: { line: TreeMove[]; index: number; which: number }[]; // the moves that were replaced
}

// Finds the move at a place, as far as the tree has the way to it.
function spotOf(tree: Branch, place: string): Spot {
    const [main = "0", ...steps] = place.split("-");
    const last = tree.line.length - 1;
    const spot: Spot = { line: tree.line, index: Math.min((parseInt(main) || 0) - 1, last), outer: [] };
    for (const step of steps) {
        const [which = 0, ply = 1] = step.split(".").map(Number);
        const branch = spot.line[spot.index]?.variations[which];
        if (!branch?.line[ply - 1]) break;
        spot.outer.push({ line: spot.line, index: spot.index, which });
        spot.line = branch.line;
        spot.index = ply - 1;
    }
    return spot;
}

function placeOfSpot({ outer, index }: Spot): string {
    let place = "";
    for (const step of outer) place += `${step.index + 1}-${step.which}.`;
    return place + (index + 1);
}

// Returns the move at a place, and the position after it.
export function resolve<M extends TreeMove>(
    tree: { fen: string; line: M[] },
    place: string,
): { move: M | null; fen: string } {
    const { line, index } = spotOf({ comment: null, line: tree.line }, place);
    const move = (line[index] as M | undefined) ?? null;
    return { move, fen: move?.fen ?? tree.fen };
}

// Returns the comment at a place; at the start, that before the first move.
export function commentAt(tree: MoveTree, place: string): string | null {
    const { move } = resolve(tree, place);
    return move ? move.comment : tree.comment;
}

// Returns the moves from the start to a place.
export function wayTo(tree: Branch, place: string): TreeMove[] {
    const spot = spotOf(tree, place);
    const way: TreeMove[] = [];
    for (const { line, index } of spot.outer) way.push(...line.slice(0, index));
    return [...way, ...spot.line.slice(0, spot.index + 1)];
}

// Returns the way to a place, and on to the end of its line.
export function lineThrough(tree: Branch, place: string): TreeMove[] {
    const { line, index } = spotOf(tree, place);
    return [...wayTo(tree, place), ...line.slice(index + 1)];
}

// Returns the place after these moves, or null if the tree does not have them.
export function placeAfter(tree: Branch, moves: readonly string[]): string | null {
    let line = tree.line;
    let index = -1;
    let prefix = "";
    for (const uci of moves) {
        const next = line[index + 1];
        if (next?.uci === uci) {
            index++;
            continue;
        }
        const which = next?.variations.findIndex((one) => one.line[0]?.uci === uci) ?? -1;
        if (which < 0) return null;
        prefix += `${index + 2}-${which}.`;
        line = next!.variations[which]!.line;
        index = 0;
    }
    return `${prefix}${index + 1}`;
}

// Returns the place one move on or back; null if there is none. Inside a variation, the way back
// from its first move leaves it.
export function placeBeside(tree: Branch, place: string, by: 1 | -1): string | null {
    const spot = spotOf(tree, place);
    if (by === 1) return spot.line[spot.index + 1] ? placeOfSpot({ ...spot, index: spot.index + 1 }) : null;
    if (spot.index < 0) return null;
    let { line, index } = spot;
    while (index === 0 && spot.outer.length > 0) ({ line, index } = spot.outer.pop()!);
    return placeOfSpot({ line, index: index - 1, outer: spot.outer });
}

// Makes a place of a spot before the first move of a variation that of the move before.
function normal(tree: Branch, way: readonly TreeMove[]): string {
    return placeAfter(tree, way.map((move) => move.uci)) ?? "0";
}

// Adds a move after a place, as the main continuation if there is none yet, else as a variation.
// Returns the place of the move, which may have been there.
export function withMove<T extends Branch>(
    tree: T,
    place: string,
    move: Omit<TreeMove, "variations" | "comment" | "nags">,
): { tree: T; place: string } {
    const way = [...wayTo(tree, place).map(({ uci }) => uci), move.uci];
    const there = placeAfter(tree, way);
    if (there !== null) return { tree, place: there };
    const copy = structuredClone(tree);
    const { line, index } = spotOf(copy, place);
    const added: TreeMove = { ...move, comment: null, nags: [], variations: [] };
    const next = line[index + 1];
    if (next) next.variations.push({ comment: null, line: [added] });
    else line.push(added);
    return { tree: copy, place: placeAfter(copy, way)! };
}

// Adds a whole line from the start.
export function withLine<T extends Branch>(
    tree: T,
    moves: readonly Omit<TreeMove, "variations" | "comment" | "nags">[],
): T {
    let grown = { tree, place: "0" };
    for (const move of moves) grown = withMove(grown.tree, grown.place, move);
    return grown.tree;
}

// Removes the move at a place with all that follows it. Returns the place before it. If variations
// replace the move, the first of them takes its place.
export function without<T extends Branch>(tree: T, place: string): { tree: T; place: string } {
    const copy = structuredClone(tree);
    const { line, index, outer } = spotOf(copy, place);
    if (index < 0) return { tree, place };
    const before = wayTo(copy, place).slice(0, -1);
    const inside = outer.at(-1);
    if (index === 0 && inside) inside.line[inside.index]!.variations.splice(inside.which, 1);
    else {
        const [heir, ...others] = line[index]!.variations;
        line.splice(index, line.length, ...(heir?.line ?? []));
        line[index]?.variations.push(...others);
    }
    return { tree: copy, place: normal(copy, before) };
}

// Makes the variation of a place the main continuation where it begins, one level up. The line
// that it replaces becomes a variation. Returns where the place is then.
export function promoted<T extends Branch>(tree: T, place: string): { tree: T; place: string } {
    const copy = structuredClone(tree);
    const way = wayTo(copy, place);
    const inside = spotOf(copy, place).outer.at(-1);
    if (!inside) return { tree, place };
    const { line, index, which } = inside;
    const { variations } = line[index]!;
    const branch = variations[which]!;
    const old = line.splice(index, line.length, ...branch.line);
    old[0]!.variations = [];
    const others = variations.map((one) => (one === branch ? { comment: null, line: old } : one));
    line[index]!.variations.unshift(...others);
    return { tree: copy, place: normal(copy, way) };
}

// Changes the comment or the signs of the move at a place; at the start, the comment before it.
export function annotated<T extends Branch>(
    tree: T,
    place: string,
    changes: Partial<Pick<TreeMove, "comment" | "nags">>,
): T {
    const copy = structuredClone(tree);
    const { line, index } = spotOf(copy, place);
    const move = line[index];
    if (move) Object.assign(move, changes);
    else if (changes.comment !== undefined) copy.comment = changes.comment;
    return copy;
}
