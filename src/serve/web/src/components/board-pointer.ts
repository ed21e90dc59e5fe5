// Moves on the board by mouse or finger: by drag, by two clicks, and pieces dropped from the pocket.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import {
    INPUT_EVENT_TYPE,
    type Chessboard,
    type InputEvent,
} from "cm-chessboard/src/Chessboard.js";
import type { LegalMove } from "../types";
import type { Side } from "./squares";
import { kMarker } from "./chessboard";
import { candidates } from "./legal";

// Marks squares while a piece moves. Returns false if the move is not legal: the piece goes back.
function onInput(
    shown: Chessboard,
    event: InputEvent,
    legal: readonly LegalMove[],
    play: (moves: LegalMove[]) => boolean,
): boolean | void {
    if (event.type === INPUT_EVENT_TYPE.moveInputStarted) {
        const moves = legal.filter((move) => move.from === event.squareFrom);
        if (moves.length === 0) return false;
        shown.addMarker(kMarker.selected, event.squareFrom);
        for (const to of new Set(moves.map((move) => move.to)))
            shown.addMarker(shown.getPiece(to) ? kMarker.capture : kMarker.target, to);
        return true;
    }
    if (event.type === INPUT_EVENT_TYPE.movingOverSquare) {
        shown.removeMarkers(kMarker.over);
        if (event.squareTo && candidates(legal, event.squareFrom, event.squareTo).length > 0)
            shown.addMarker(kMarker.over, event.squareTo);
        return;
    }
    for (const marker of [kMarker.selected, kMarker.over, kMarker.target, kMarker.capture])
        shown.removeMarkers(marker);
    if (event.type === INPUT_EVENT_TYPE.validateMoveInput)
        return play(candidates(legal, event.squareFrom, event.squareTo));
}

// Takes moves of the pieces of `side` while `movable`. `play` gets the legal moves between the two
// squares, and returns false if there are none.
export function useMoveInput(
    board: RefObject<Chessboard>,
    side: Side,
    movable: boolean,
    legal: readonly LegalMove[],
    play: (moves: LegalMove[]) => boolean,
): void {
    const latest = useRef({ legal, play });
    latest.current = { legal, play };
    useEffect(() => {
        const shown = board.current;
        if (!shown || !movable) return;
        shown.enableMoveInput(
            (event) =>
                board.current
                    ? onInput(shown, event, latest.current.legal, latest.current.play)
                    : false,
            side === "white" ? "w" : "b",
        );
        return () => {
            if (board.current) shown.disableMoveInput();
        };
    }, [movable, side]);
}

// Marks the squares for the piece of the pocket that is being dropped; a click there, or the end
// of a drag that began on the pocket, drops it. Returns the function that drops it on a square,
// which returns false if that is no legal move.
export function useDrops(
    board: RefObject<Chessboard>,
    fen: string,
    piece: string | null | undefined, // "p"
    legal: readonly LegalMove[],
    onDrop: (move: LegalMove) => void,
): (square: string | null) => boolean {
    const latest = useRef(onDrop);
    latest.current = onDrop;
    const drops = piece ? legal.filter((move) => move.drop?.toLowerCase() === piece) : [];
    const dropOn = (square: string | null) => {
        const move = drops.find((one) => one.to === square);
        if (move) latest.current(move);
        return move !== undefined;
    };
    useEffect(() => {
        const shown = board.current;
        if (!shown || drops.length === 0) return;
        for (const move of drops) shown.addMarker(kMarker.target, move.to);
        const onPointer = (event: PointerEvent) => {
            const below = document.elementFromPoint(event.clientX, event.clientY);
            if (below && shown.view.svg.contains(below)) dropOn(below.getAttribute("data-square"));
        };
        addEventListener("pointerup", onPointer);
        return () => {
            removeEventListener("pointerup", onPointer);
            if (board.current) shown.removeMarkers(kMarker.target);
        };
    }, [piece, fen, drops.length]);
    return dropOn;
}
