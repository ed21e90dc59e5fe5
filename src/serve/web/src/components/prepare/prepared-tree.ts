// The tree of the moves that a player plays.
import type { PreparedMove } from "../../types";

export interface Node {
    row: PreparedMove;
    sans: string[]; // from the start, with this move
    below: Node[];
}

// Builds the tree from its rows, which are in depth-first order with their depths.
export function treeOf(rows: readonly PreparedMove[]): Node[] {
    const top: Node[] = [];
    const path: Node[] = [];
    for (const row of rows) {
        path.length = Math.min(path.length, row.depth);
        const parent = path[path.length - 1];
        const node: Node = { row, sans: [...(parent?.sans ?? []), row.san], below: [] };
        (parent?.below ?? top).push(node);
        path.push(node);
    }
    return top;
}
