// The names of openings, as a line of text.
import type { Opening, Tree, TreeMove } from "../types";

// Returns the opening after the move, without the name of the opening before it.
export function leadsTo(tree: Tree, move: TreeMove): string {
    const name = move.opening?.name ?? "";
    const before = tree.opening?.name;
    if (name === before) return "";
    return before && name.startsWith(before)
        ? name.slice(before.length).replace(/^[:, ]+/, "")
        : name;
}

export function openingText(opening: Opening): string {
    return `${opening.eco} ${opening.name}`;
}
