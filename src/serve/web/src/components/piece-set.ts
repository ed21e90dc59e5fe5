// The drawings of the pieces. A set is fetched when a board first shows it.
import { useEffect, useState } from "preact/hooks";
import { keep, setting } from "../settings";

export const kPieceSets = { standard: PIECES_URL, plain: PLAIN_PIECES_URL } as const;
export type PieceSet = keyof typeof kPieceSets;

export function pieceSet(): PieceSet {
    return setting("pieces") === "plain" ? "plain" : "standard";
}

export function piecesUrl(): string {
    return kPieceSets[pieceSet()];
}

export function setPieceSet(to: PieceSet): void {
    keep("pieces", to);
    dispatchEvent(new Event("piecechange"));
}

// Redraws the component when the set changes.
export function usePieceSet(): PieceSet {
    const [, redraw] = useState(0);
    useEffect(() => {
        const listener = () => redraw((n) => n + 1);
        addEventListener("piecechange", listener);
        return () => removeEventListener("piecechange", listener);
    }, []);
    return pieceSet();
}
