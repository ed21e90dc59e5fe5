// What a mouse does on a board besides moving pieces: the right button draws arrows and circles, the
// wheel walks along the moves.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Chessboard } from "cm-chessboard/src/Chessboard.js";
import type { Arrow } from "./board-drawing";

function colourOf(event: MouseEvent): Arrow["kind"] {
    const [one, other] = [event.shiftKey || event.ctrlKey, event.altKey];
    return one && other ? "yellow" : one ? "red" : other ? "blue" : "green";
}

// Calls `onDraw` for an arrow, or for a circle if the button goes up where it went down.
export function useDrawing(
    board: RefObject<Chessboard>,
    onDraw: ((arrow: Arrow) => void) | undefined,
): void {
    const latest = useRef(onDraw);
    latest.current = onDraw;
    useEffect(() => {
        const svg = board.current?.view.svg;
        if (!svg || !onDraw) return;
        let from: string | null = null;
        const squareBelow = (event: MouseEvent) => {
            const below = document.elementFromPoint(event.clientX, event.clientY);
            return below && svg.contains(below) ? below.getAttribute("data-square") : null;
        };
        const down = (event: MouseEvent) => {
            if (event.button === 2) from = squareBelow(event);
        };
        const up = (event: MouseEvent) => {
            if (event.button !== 2 || from === null) return;
            const to = squareBelow(event);
            if (to) latest.current?.({ from, to, kind: colourOf(event) });
            from = null;
        };
        const noMenu = (event: Event) => event.preventDefault();
        svg.addEventListener("mousedown", down);
        svg.addEventListener("contextmenu", noMenu);
        addEventListener("mouseup", up);
        return () => {
            svg.removeEventListener("mousedown", down);
            svg.removeEventListener("contextmenu", noMenu);
            removeEventListener("mouseup", up);
        };
    }, [onDraw !== undefined]);
}

// Calls `onStep` with 1 or -1 for each notch of the wheel.
export function useWheel(
    box: RefObject<HTMLElement>,
    onStep: ((by: 1 | -1) => void) | undefined,
): void {
    const latest = useRef(onStep);
    latest.current = onStep;
    useEffect(() => {
        const element = box.current;
        if (!element || !onStep) return;
        let turned = 0;
        const wheel = (event: WheelEvent) => {
            if (event.ctrlKey) return; // enlarges the page
            event.preventDefault();
            turned += event.deltaY;
            if (Math.abs(turned) < 50) return;
            latest.current?.(turned > 0 ? 1 : -1);
            turned = 0;
        };
        element.addEventListener("wheel", wheel, { passive: false });
        return () => element.removeEventListener("wheel", wheel);
    }, [onStep !== undefined]);
}
