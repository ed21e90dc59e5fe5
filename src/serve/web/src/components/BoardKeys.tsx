// The board by keys alone: a cursor walks over the squares, Enter picks up and puts down, and a
// screen reader says what happens.
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import type { LegalMove } from "../types";
import { candidates } from "./legal";
import {
    boardOf,
    pieceName,
    piecesOf,
    placeOnBoard,
    sanText,
    squareBeside,
    type Side,
} from "./squares";

export function BoardKeys(props: {
    fen: string;
    orientation: Side;
    side: Side; // to move
    legal: readonly LegalMove[];
    onPlay: (moves: LegalMove[]) => void; // several: the pieces that a pawn may become
    onDrop: (square: string) => boolean; // false: no piece can be dropped there
}) {
    const { orientation, legal } = props;
    const [cursor, setCursor] = useState<string | null>(null);
    const [picked, setPicked] = useState<string | null>(null); // the square to move from
    const [said, say] = useState("");
    const at = cursor ?? (orientation === "white" ? "e2" : "e7");
    useEffect(() => setPicked(null), [boardOf(props.fen)]);

    function describe(square: string): string {
        const piece = piecesOf(props.fen)[square];
        return `${square} ${piece ? pieceName(piece) : t("emptySquare")}`;
    }

    function pick(square: string | null): void {
        const moves = legal.filter((move) => move.from === square);
        setPicked(moves.length > 0 ? square : null);
        if (square === null) say(t("moveCancelled"));
        else if (moves.length === 0) say(t("noMoveFrom", { square: describe(square) }));
        else
            say(
                t("movesFrom", {
                    square: describe(square),
                    moves: moves.map((move) => sanText(move.san)).join(", "),
                }),
            );
    }

    function onEnter(): void {
        if (props.onDrop(at)) return say("");
        if (picked === null || picked === at) return pick(picked === at ? null : at);
        const moves = candidates(legal, picked, at);
        if (moves.length === 0) return pick(at);
        setPicked(null);
        say(sanText(moves[0]!.san));
        props.onPlay(moves);
    }

    function onKeyDown(event: KeyboardEvent): void {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const next = squareBeside(at, event.key, orientation);
        if (next) {
            setCursor(next);
            say(describe(next));
        } else if (event.key === "Enter" || event.key === " ") onEnter();
        else if (event.key === "Escape" && picked !== null) pick(null);
        else return;
        event.preventDefault();
    }

    return (
        <>
            <div
                class="board-keys"
                tabIndex={0}
                role="application"
                aria-label={t("boardLabel", {
                    side: t(props.side === "white" ? "whiteToMove" : "blackToMove"),
                })}
                aria-describedby="board-help"
                onKeyDown={onKeyDown}
                onFocus={() => setCursor(at)}
                onBlur={() => setCursor(null)}
            >
                {picked && <span class="key-picked" style={placeOnBoard(picked, orientation)} />}
                {cursor && <span class="key-cursor" style={placeOnBoard(cursor, orientation)} />}
            </div>
            <p id="board-help" class="hidden">
                {t("boardHelp")}
            </p>
            <p class="hidden" aria-live="polite">
                {said}
            </p>
        </>
    );
}
