// The order of the moves that were played from a position.
import { useState } from "preact/hooks";
import { keep, setting } from "../settings";
import type { Tree, TreeMove } from "../types";
import { centipawns } from "./Evaluation";
import { sideOf } from "./squares";

const kMoveOrders = ["games", "score", "reached", "eval", "rating", "performance"] as const;
export type MoveOrder = (typeof kMoveOrders)[number];

// Returns what is compared: the largest comes first, unknown ones last. Scores and evaluations are
// those of the side to move.
function rank(move: TreeMove, order: MoveOrder, sign: 1 | -1): number | null {
    switch (order) {
        case "games":
            return move.games;
        case "score":
            return move.games > 0 ? (sign * (move.white - move.black)) / move.games : null;
        case "reached":
            return move.reached;
        case "eval":
            return move.eval && sign * centipawns(move.eval);
        case "rating":
            return move.averageRating;
        case "performance":
            return move.performance;
    }
}

export function inOrder(tree: Tree, order: MoveOrder): TreeMove[] {
    const sign = sideOf(tree.fen) === "white" ? 1 : -1;
    const value = (move: TreeMove) => rank(move, order, sign) ?? -Infinity;
    return [...tree.moves].sort((a, b) => value(b) - value(a) || 0);
}

// The order that was chosen last.
export function useMoveOrder(): [MoveOrder, (order: MoveOrder) => void] {
    const kept = kMoveOrders.find((one) => one === setting("moveOrder"));
    const [order, setOrder] = useState<MoveOrder>(kept ?? "games");
    const set = (to: MoveOrder) => {
        keep("moveOrder", to);
        setOrder(to);
    };
    return [order, set];
}
