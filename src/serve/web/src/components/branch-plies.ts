// The moves of a branch of a tree with their places and their numbers.
import { commentText } from "./comments";
import { moveNumber } from "./move-number";
import type { Branch, TreeMove } from "./tree";

interface Ply {
    move: TreeMove;
    before: string; // FEN
    place: string;
    number: string; // "" if the move needs none
}

// `before` is the position that the branch begins with, `place` that of the branch; "" for the main
// line. A move has a number if it is White's, or if something stands between it and the one before.
export function pliesOf(branch: Branch, before: string, place: string): Ply[] {
    return branch.line.map((move, index) => {
        const last = branch.line[index - 1];
        const fresh = !last || commentText(last.comment) !== "" || last.variations.length > 0;
        const from = last?.fen ?? before;
        return {
            move,
            before: from,
            place: place === "" ? String(index + 1) : `${place}.${index + 1}`,
            number: moveNumber(from, fresh),
        };
    });
}
