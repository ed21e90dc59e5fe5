// The dialog of a promotion: the pieces that the pawn may become, over its square.
import { useEffect, useLayoutEffect, useRef, useState, type MutableRef } from "preact/hooks";
import { t } from "../i18n";
import type { LegalMove } from "../types";
import { Piece } from "./Piece";
import { pieceName, placeOnBoard, sanText, type Side } from "./squares";

// Whether a button of the mouse, or a finger, is down.
export function usePressed(): MutableRef<boolean> {
    const pressed = useRef(false);
    useEffect(() => {
        const press = (event: PointerEvent) => (pressed.current = event.type === "pointerdown");
        addEventListener("pointerdown", press, true);
        addEventListener("pointerup", press, true);
        return () => {
            removeEventListener("pointerdown", press, true);
            removeEventListener("pointerup", press, true);
        };
    }, []);
    return pressed;
}

export function Promotion(props: {
    moves: LegalMove[];
    side: Side;
    orientation: Side;
    pressed: boolean; // a button of the mouse, or a finger, is down
    onChoose: (move: LegalMove | null) => void;
}) {
    const dialog = useRef<HTMLDivElement>(null);
    const [ready, setReady] = useState(false);
    // The next key is for the dialog. An effect would run only after the dialog is drawn.
    useLayoutEffect(() => {
        const before = document.activeElement;
        dialog.current?.querySelector("button")?.focus();
        return () => {
            if (before instanceof HTMLElement) before.focus();
        };
    }, []);
    useEffect(() => {
        // The pointer that moved the pawn is still down. Its release is not for the dialog.
        const up = () => setTimeout(() => setReady(true));
        if (!props.pressed) up();
        addEventListener("pointerup", up);
        const outside = (event: Event) => {
            if (!dialog.current?.contains(event.target as Node)) props.onChoose(null);
        };
        addEventListener("pointerdown", outside);
        return () => {
            removeEventListener("pointerdown", outside);
            removeEventListener("pointerup", up);
        };
    }, []);
    function onKeyDown(event: KeyboardEvent): void {
        const buttons = [...dialog.current!.querySelectorAll("button")];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const last = buttons.length - 1;
        if (event.key === "Escape") props.onChoose(null);
        else if (["ArrowDown", "ArrowRight", "Tab"].includes(event.key) && !event.shiftKey)
            buttons[at >= last ? 0 : at + 1]?.focus();
        else if (["ArrowUp", "ArrowLeft", "Tab"].includes(event.key))
            buttons[at <= 0 ? last : at - 1]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
    const { left, top } = placeOnBoard(props.moves[0]!.to, props.orientation);
    return (
        <div
            ref={dialog}
            class={`promotion ${parseFloat(top) > 40 ? "upwards" : ""} ${ready ? "" : "not-yet"}`}
            style={{ left, top }}
            role="dialog"
            aria-modal="true"
            aria-label={t("promoteTo")}
            onKeyDown={onKeyDown}
        >
            {props.moves.map((move) => {
                const letter = move.promotion ?? "";
                const piece = props.side === "white" ? letter.toUpperCase() : letter;
                return (
                    <button
                        key={move.uci}
                        type="button"
                        aria-label={letter ? pieceName(piece) : sanText(move.san)}
                        onClick={() => props.onChoose(move)}
                    >
                        {letter ? <Piece piece={piece} /> : sanText(move.san)}
                    </button>
                );
            })}
        </div>
    );
}
