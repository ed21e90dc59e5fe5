// A board between the two players: what belongs to each of them is above or below it, such as the
// pieces in hand.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LegalMove } from "../types";
import { Board, type BoardProps } from "./Board";
import { Pocket } from "./Pockets";
import { pocketsOf, sideOf, type Side } from "./squares";

interface BoardStackProps extends Omit<BoardProps, "drop"> {
    orientation: Side;
    onMove: (move: LegalMove) => void;
    player?: (side: Side) => ComponentChildren;
}

export function BoardStack({ player, onMove, ...board }: BoardStackProps) {
    const { fen, orientation } = board;
    const [drop, setDrop] = useState<string | null>(null);
    const pockets = pocketsOf(fen);
    const pocket = (side: Side) =>
        pockets && (
            <Pocket
                side={side}
                pieces={pockets[side]}
                active={side === sideOf(fen)}
                chosen={drop}
                onChoose={setDrop}
            />
        );
    const top: Side = orientation === "white" ? "black" : "white";
    return (
        <div class="board-stack">
            {player?.(top)}
            {pocket(top)}
            <Board
                {...board}
                drop={drop}
                onMove={(move) => {
                    setDrop(null);
                    onMove(move);
                }}
            />
            {pocket(orientation)}
            {player?.(orientation)}
        </div>
    );
}
