// Draws a position on cm-chessboard: its pieces, marks and arrows.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Chessboard } from "cm-chessboard/src/Chessboard.js";
import { kArrow, kMarker, kRing, makeBoard, type ArrowKind } from "./chessboard";
import { boardOf, piecesOf, sideOf, type Side } from "./squares";

export interface Arrow {
    from: string;
    to: string; // if equal to `from`: a ring around the square
    kind?: ArrowKind;
}

function colorOf(side: Side): "w" | "b" {
    return side === "white" ? "w" : "b";
}

// Makes the board inside `context` and keeps its pieces and its orientation as they should be.
export function useChessboard(fen: string, orientation: Side) {
    const context = useRef<HTMLDivElement>(null);
    const board = useRef<Chessboard | null>(null);
    const wanted = useRef(orientation);
    wanted.current = orientation;
    const lastChange = useRef(0);
    const turned = useRef<Promise<void>>(Promise.resolve());

    useEffect(() => {
        const made = makeBoard(context.current!, boardOf(fen), colorOf(orientation));
        board.current = made;
        // A click on the board must not take the focus: the arrow keys belong to the list of moves.
        made.view.svg.addEventListener("mousedown", (event) => {
            event.preventDefault();
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        });
        made.view.svg.setAttribute("aria-hidden", "true");
        return () => {
            board.current = null;
            made.destroy();
        };
    }, []);

    useEffect(() => {
        const now = performance.now();
        const calm = now - lastChange.current > 200;
        lastChange.current = now;
        void board.current?.setPosition(boardOf(fen), calm);
    }, [boardOf(fen)]);

    useEffect(() => {
        // The board refuses to turn while it is turning.
        const turn = async () => {
            const color = colorOf(wanted.current);
            const shown = board.current;
            if (shown && shown.getOrientation() !== color) await shown.setOrientation(color, false);
        };
        turned.current = turned.current.then(turn, turn);
    }, [orientation]);

    return { context, board };
}

// Marks the last move, and the king that is in check.
export function useMarks(
    board: RefObject<Chessboard>,
    fen: string,
    lastMove: { from: string | null; to: string } | null | undefined,
    check: boolean | undefined,
): void {
    useEffect(() => {
        const shown = board.current;
        if (!shown) return;
        shown.removeMarkers(kMarker.lastMove);
        shown.removeMarkers(kMarker.check);
        if (lastMove?.from) shown.addMarker(kMarker.lastMove, lastMove.from);
        if (lastMove) shown.addMarker(kMarker.lastMove, lastMove.to);
        if (check) {
            const king = sideOf(fen) === "white" ? "K" : "k";
            for (const [square, piece] of Object.entries(piecesOf(fen)))
                if (piece === king) shown.addMarker(kMarker.check, square);
        }
    }, [lastMove?.from, lastMove?.to, check, boardOf(fen)]);
}

export function useArrows(board: RefObject<Chessboard>, arrows: readonly Arrow[] = []): void {
    useEffect(() => {
        const shown = board.current;
        if (!shown) return;
        shown.removeArrows();
        for (const ring of Object.values(kRing)) shown.removeMarkers(ring);
        for (const { from, to, kind = "hint" } of arrows)
            if (from === to) shown.addMarker(kRing[kind], from);
            else shown.addArrow(kArrow[kind], from, to);
    }, [JSON.stringify(arrows)]);
}
