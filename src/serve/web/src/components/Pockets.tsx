// Pieces in hand (crazyhouse). Drag one to the board, or click on it and then on a square.
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Piece } from "./Piece";
import { pieceName, type Side } from "./squares";

export function Pocket(props: {
    side: Side;
    pieces: string; // "QPP"
    active?: boolean; // this side is to move
    chosen?: string | null; // "p"
    onChoose?: (piece: string | null) => void; // absent: no piece can be chosen
}) {
    const [ghost, setGhost] = useState<{ piece: string; x: number; y: number } | null>(null);
    const wasChosen = useRef(false);

    function onPointerDown(event: PointerEvent, kind: string, piece: string): void {
        wasChosen.current = props.chosen === kind;
        props.onChoose?.(kind);
        const move = (to: PointerEvent) => setGhost({ piece, x: to.clientX, y: to.clientY });
        const end = () => {
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", end);
            removeEventListener("pointercancel", end);
            setGhost(null);
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
        event.preventDefault();
    }

    return (
        <div
            class="pocket"
            role="group"
            aria-label={t(props.side === "white" ? "whitePocket" : "blackPocket")}
        >
            {["q", "r", "b", "n", "p"].map((kind) => {
                const n = [...props.pieces.toLowerCase()].filter((one) => one === kind).length;
                const piece = props.side === "white" ? kind.toUpperCase() : kind;
                return (
                    <button
                        key={kind}
                        type="button"
                        class={n === 0 ? "none" : ""}
                        disabled={n === 0 || !props.active}
                        aria-pressed={props.active === true && props.chosen === kind}
                        aria-label={t("inPocket", { n, piece: pieceName(piece) })}
                        onPointerDown={(event) => onPointerDown(event, kind, piece)}
                        onClick={(event) => {
                            // detail is 0 for a click by the keyboard, which has no pointerdown.
                            const chosen =
                                event.detail === 0 ? props.chosen === kind : wasChosen.current;
                            props.onChoose?.(chosen ? null : kind);
                        }}
                    >
                        <Piece piece={piece} />
                        {n > 0 && <span class="n">{n}</span>}
                    </button>
                );
            })}
            {ghost && (
                <span class="ghost" style={{ left: `${ghost.x}px`, top: `${ghost.y}px` }}>
                    <Piece piece={ghost.piece} />
                </span>
            )}
        </div>
    );
}
