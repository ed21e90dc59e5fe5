// The positions of a repertoire, as the server lists them, as trees of moves. Each position comes
// once, where the lines reach it first.
import type { RepertoirePosition } from "../../types";
import { sideOf, type Side } from "../squares";
import type { MoveTree, TreeMove } from "../tree";

// A move, and the position after it.
export interface CoveredMove extends TreeMove {
    row: RepertoirePosition;
    ends: boolean; // the lines end after it
}

export interface CoveredTree {
    start: RepertoirePosition;
    tree: MoveTree;
    places: Map<number, string>; // of positions, by their numbers
}

// How well a position is covered. Shown in colour and in words.
export type Cover = "good" | "part" | "weak" | "open" | null;

// Percent of the opponents' moves.
const kGood = 90;
const kPart = 60;

export function coverOf({ row, ends, fen }: CoveredMove, mine: Side): Cover {
    if (row.covered !== null)
        return row.covered >= kGood ? "good" : row.covered >= kPart ? "part" : "weak";
    return ends && row.games > 0 && sideOf(fen) === mine ? "open" : null;
}

export function treesOf(rows: readonly RepertoirePosition[]): CoveredTree[] {
    const after = new Map<number, RepertoirePosition[]>();
    for (const row of rows) {
        if (row.before === null) continue;
        const siblings = after.get(row.before);
        if (siblings) siblings.push(row);
        else after.set(row.before, [row]);
    }
    return rows
        .filter((row) => row.before === null)
        .map((start) => treeFrom(start, after))
        .filter(({ tree }) => tree.line.length > 0);
}

function treeFrom(start: RepertoirePosition, after: Map<number, RepertoirePosition[]>): CoveredTree {
    const places = new Map<number, string>([[start.number, "0"]]);
    // The line that begins with the first of these moves; the others replace it.
    function lineOf(first: readonly RepertoirePosition[], prefix: string): CoveredMove[] {
        const line: CoveredMove[] = [];
        for (let next = first; next.length > 0; next = after.get(next[0]!.number) ?? []) {
            const [main, ...others] = next as [RepertoirePosition, ...RepertoirePosition[]];
            const place = `${prefix}${line.length + 1}`;
            places.set(main.number, place);
            const variations = others.map((one, which) => ({
                comment: null,
                line: lineOf([one], `${place}-${which}.`),
            }));
            line.push({
                san: main.san!,
                fen: main.fen,
                uci: "",
                comment: null,
                nags: [],
                variations,
                row: main,
                ends: !after.has(main.number),
            });
        }
        return line;
    }
    const line = lineOf(after.get(start.number) ?? [], "");
    return { start, tree: { fen: start.fen, comment: null, line }, places };
}
