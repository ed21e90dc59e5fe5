// Pieces in hand (crazyhouse): a click chooses one, a click on the board drops it.
import { t } from "../i18n";
import type { Side } from "../types";
import { Piece } from "./Piece";
import { pieceName } from "./squares";

export function Pocket(props: {
    side: Side;
    pieces: string; // "QPP"
    active: boolean; // this side is to move
    chosen: string | null; // "p"
    onChoose: (piece: string | null) => void;
}) {
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
                        disabled={n === 0 || !props.active}
                        aria-pressed={props.active && props.chosen === kind}
                        aria-label={t("inPocket", { n, piece: pieceName(piece) })}
                        onClick={() => props.onChoose(props.chosen === kind ? null : kind)}
                    >
                        <Piece piece={piece} />
                        {n > 0 && <span class="n">{n}</span>}
                    </button>
                );
            })}
        </div>
    );
}
