// A small board that only shows a position: for lists and cards.
import { t } from "../i18n";
import { piecesUrl } from "./piece-set";
import { cellOf, piecesOf, sideOf, spriteName, type Side } from "./squares";

export interface DiagramProps {
    fen: string;
    orientation?: Side;
    marked?: readonly (string | null)[]; // squares
    label?: string; // for screen readers; else it says who is to move
}

const dark = Array.from({ length: 32 }, (_, index) => {
    const y = Math.floor(index / 4);
    return `M${((index % 4) * 2 + ((y + 1) % 2)) * 40} ${y * 40}h40v40h-40z`;
}).join("");

export function Diagram({ fen, orientation = "white", marked = [], label }: DiagramProps) {
    const place = (square: string) => {
        const [column, row] = cellOf(square, orientation);
        return { x: column * 40, y: row * 40 };
    };
    const name = label ?? t(sideOf(fen) === "white" ? "whiteToMove" : "blackToMove");
    return (
        <svg class="diagram" viewBox="0 0 320 320" role="img" aria-label={name}>
            <rect class="diagram-light" width="320" height="320" />
            <path class="diagram-dark" d={dark} />
            {marked.map(
                (square) =>
                    square && (
                        <rect
                            key={square}
                            class="diagram-mark"
                            {...place(square)}
                            width="40"
                            height="40"
                        />
                    ),
            )}
            {Object.entries(piecesOf(fen)).map(([square, piece]) => (
                <use key={square} href={`${piecesUrl()}#${spriteName(piece)}`} {...place(square)} />
            ))}
        </svg>
    );
}
