// A tree of moves as PGN.
import { moveNumber } from "./move-number";
import type { Branch, MoveTree, TreeMove } from "./tree";

function commentOf(text: string | null): string {
    return text ? ` {${text.replaceAll("}", ")")}}` : "";
}

function signsOf(move: TreeMove): string {
    return move.nags.map((nag) => (typeof nag === "number" ? ` $${nag}` : nag)).join("");
}

function movesOf(branch: Branch, start: string): string {
    let text = commentOf(branch.comment);
    let fresh = true; // the next move needs a number
    branch.line.forEach((move, index) => {
        const before = index === 0 ? start : branch.line[index - 1]!.fen;
        const number = moveNumber(before, fresh).replace("…", "...");
        text += ` ${number}${number && " "}${move.san}${signsOf(move)}${commentOf(move.comment)}`;
        for (const one of move.variations) text += ` (${movesOf(one, before).trim()})`;
        fresh = move.variations.length > 0 || move.comment !== null;
    });
    return text;
}

// Returns a game with the moves, all variations, comments and signs.
export function pgnOf(tree: MoveTree, name: string, variant: string, standard: boolean): string {
    const tags: [string, string][] = [
        ["Event", name || "?"],
        ["Result", "*"],
    ];
    if (variant !== "") tags.push(["Variant", variant]);
    if (!standard) tags.push(["SetUp", "1"], ["FEN", tree.fen]);
    const quoted = (value: string) => value.replace(/["\\]/g, "\\$&");
    const head = tags.map(([tag, value]) => `[${tag} "${quoted(value)}"]\n`).join("");
    const lines = `${movesOf(tree, tree.fen).trim()} *`.replace(/(.{1,78})(?: |$)/g, "$1\n");
    return `${head}\n${lines}`;
}
