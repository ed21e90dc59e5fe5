// The board: shows a position and takes moves by drag, click and keys. It knows no rules: the
// legal moves are given as `legal`, as /api/v1/position lists them.
import { useState } from "preact/hooks";
import type { LegalMove } from "../types";
import { useArrows, useChessboard, useMarks, type Arrow } from "./board-drawing";
import { useDrawing, useWheel } from "./board-gestures";
import { useDrops, useMoveInput } from "./board-pointer";
import { BoardKeys } from "./BoardKeys";
import { EvaluationBar, type Score } from "./Evaluation";
import { Promotion, usePressed } from "./Promotion";
import { boardOf, sideOf, type Side } from "./squares";

export interface BoardProps {
    fen: string;
    orientation?: Side;
    legal?: readonly LegalMove[]; // absent: nothing can be played
    onMove?: (move: LegalMove) => void;
    lastMove?: { from: string | null; to: string } | null;
    check?: boolean; // the side to move is in check
    arrows?: readonly Arrow[];
    drop?: string | null; // the piece of the pocket that is being dropped: "p"
    score?: Score | null; // of an engine
    onDraw?: (arrow: Arrow) => void; // with the right button
    onWheel?: (by: 1 | -1) => void;
}

export function Board(props: BoardProps) {
    const { fen, orientation = "white", legal = [], onMove } = props;
    const [promotions, setPromotions] = useState<LegalMove[] | null>(null);
    const side = sideOf(fen);

    function play(moves: LegalMove[]): boolean {
        if (moves.length === 0) return false;
        const rank = (move: LegalMove) => "qrbnk".indexOf(move.promotion ?? "");
        if (moves.length > 1) setPromotions([...moves].sort((a, b) => rank(a) - rank(b)));
        else onMove?.(moves[0]!);
        return true;
    }

    const { context, board } = useChessboard(fen, orientation);
    const pressed = usePressed();
    useMoveInput(board, side, onMove !== undefined && legal.length > 0, legal, play);
    useMarks(board, fen, props.lastMove, props.check);
    useArrows(board, props.arrows);
    const dropOn = useDrops(board, fen, props.drop, legal, (move) => onMove?.(move));

    useDrawing(board, props.onDraw);
    useWheel(context, props.onWheel);

    function choose(move: LegalMove | null): void {
        setPromotions(null);
        if (move) onMove?.(move);
        else void board.current?.setPosition(boardOf(fen), false);
    }

    return (
        <div class="board">
            {props.score && <EvaluationBar score={props.score} side={orientation} />}
            <div ref={context} class="board-squares" />
            <BoardKeys
                fen={fen}
                orientation={orientation}
                side={side}
                legal={legal}
                onPlay={play}
                onDrop={dropOn}
            />
            {promotions && (
                <Promotion
                    moves={promotions}
                    side={side}
                    orientation={orientation}
                    pressed={pressed.current}
                    onChoose={choose}
                />
            )}
        </div>
    );
}
