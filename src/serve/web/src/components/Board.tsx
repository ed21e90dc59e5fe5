// The board: shows a position and takes moves by drag, click and keys. It knows no rules: the
// legal moves are given as `legal`, as /api/v1/position lists them.
import {
    INPUT_EVENT_TYPE,
    type Chessboard,
    type InputEvent,
} from "cm-chessboard/src/Chessboard.js";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { LegalMove, Side } from "../types";
import { kArrow, kMarker, kRing, makeBoard, type ArrowKind } from "./chessboard";
import { Piece } from "./Piece";
import { boardOf, kFiles, pieceName, piecesOf, sanText, sideOf } from "./squares";

export interface Arrow {
    from: string;
    to: string; // if equal to `from`: a ring around the square
    kind?: ArrowKind;
}

export interface BoardProps {
    fen: string;
    orientation?: Side;
    legal?: readonly LegalMove[]; // absent: nothing can be played
    onMove?: (move: LegalMove) => void;
    lastMove?: { from: string | null; to: string } | null;
    check?: boolean; // the side to move is in check
    arrows?: readonly Arrow[];
    drop?: string | null; // the piece of the pocket that is being dropped: "p"
    onDropped?: () => void;
}

// Returns the squares on which the piece can be put to play this move. For castling these are
// the king's new square and the rook's square.
function targets(move: LegalMove): string[] {
    if (!move.san.startsWith("O-O") || !move.from) return [move.to];
    const rank = move.from[1]!;
    const long = move.san.startsWith("O-O-O");
    return [move.to, (long ? "c" : "g") + rank, (long ? "a" : "h") + rank];
}

function candidates(legal: readonly LegalMove[], from: string, to: string): LegalMove[] {
    const moves = legal.filter((move) => move.from === from);
    const exact = moves.filter((move) => move.to === to);
    if (exact.length > 0) return exact;
    return moves.filter((move) => targets(move).includes(to)).slice(0, 1);
}

export function Board(props: BoardProps) {
    const context = useRef<HTMLDivElement>(null);
    const board = useRef<Chessboard | null>(null);
    const latest = useRef(props);
    latest.current = props;
    const [choice, setChoice] = useState<LegalMove[] | null>(null); // promotions
    const [cursor, setCursor] = useState<string | null>(null); // of the keyboard
    const [picked, setPicked] = useState<string | null>(null); // from square, by keyboard
    const [said, say] = useState("");
    const lastChange = useRef(0);
    const pressed = useRef(false);
    const turned = useRef<Promise<void>>(Promise.resolve());
    const orientation = props.orientation ?? "white";

    function play(moves: LegalMove[]): boolean {
        if (moves.length === 0) return false;
        const rank = (move: LegalMove) => "qrbnk".indexOf(move.promotion ?? "");
        if (moves.length > 1) setChoice([...moves].sort((a, b) => rank(a) - rank(b)));
        else latest.current.onMove?.(moves[0]!);
        return true;
    }

    function onInput(event: InputEvent): boolean | void {
        const { legal = [] } = latest.current;
        const shown = board.current;
        if (!shown) return false;
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

    useEffect(() => {
        const element = context.current!;
        const made = makeBoard(element, boardOf(props.fen), orientation === "white" ? "w" : "b");
        board.current = made;
        // A click on the board must not take the focus: the arrow keys belong to the list of moves.
        const keepFocus = (event: Event) => {
            event.preventDefault();
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        };
        made.view.svg.addEventListener("mousedown", keepFocus);
        const press = (event: PointerEvent) => (pressed.current = event.type === "pointerdown");
        addEventListener("pointerdown", press, true);
        addEventListener("pointerup", press, true);
        made.view.svg.setAttribute("aria-hidden", "true");
        return () => {
            board.current = null;
            removeEventListener("pointerdown", press, true);
            removeEventListener("pointerup", press, true);
            made.destroy();
        };
    }, []);

    useEffect(() => {
        const now = performance.now();
        const calm = now - lastChange.current > 200;
        lastChange.current = now;
        setPicked(null);
        void board.current?.setPosition(boardOf(props.fen), calm);
    }, [boardOf(props.fen)]);

    useEffect(() => {
        // The board refuses to turn while it is turning.
        const turn = async () => {
            const color = (latest.current.orientation ?? "white") === "white" ? "w" : "b";
            const shown = board.current;
            if (shown && shown.getOrientation() !== color) await shown.setOrientation(color, false);
        };
        turned.current = turned.current.then(turn, turn);
    }, [orientation]);

    const movable = props.onMove !== undefined && (props.legal?.length ?? 0) > 0;
    const side = sideOf(props.fen);
    useEffect(() => {
        const shown = board.current;
        if (!shown || !movable) return;
        shown.enableMoveInput(onInput, side === "white" ? "w" : "b");
        return () => {
            if (board.current) shown.disableMoveInput();
        };
    }, [movable, side]);

    useEffect(() => {
        const shown = board.current;
        if (!shown) return;
        shown.removeMarkers(kMarker.lastMove);
        shown.removeMarkers(kMarker.check);
        if (props.lastMove?.from) shown.addMarker(kMarker.lastMove, props.lastMove.from);
        if (props.lastMove) shown.addMarker(kMarker.lastMove, props.lastMove.to);
        if (props.check) {
            const king = side === "white" ? "K" : "k";
            for (const [square, piece] of Object.entries(piecesOf(props.fen)))
                if (piece === king) shown.addMarker(kMarker.check, square);
        }
    }, [props.lastMove?.from, props.lastMove?.to, props.check, boardOf(props.fen)]);

    useEffect(() => {
        const shown = board.current;
        if (!shown) return;
        shown.removeArrows();
        for (const ring of Object.values(kRing)) shown.removeMarkers(ring);
        for (const { from, to, kind = "hint" } of props.arrows ?? [])
            if (from === to) shown.addMarker(kRing[kind], from);
            else shown.addArrow(kArrow[kind], from, to);
    }, [JSON.stringify(props.arrows)]);

    // A chosen piece of the pocket: its squares are marked, and a click drops it.
    const drops = props.drop
        ? (props.legal ?? []).filter((move) => move.drop?.toLowerCase() === props.drop)
        : [];
    useEffect(() => {
        const shown = board.current;
        if (!shown || drops.length === 0) return;
        for (const move of drops) shown.addMarker(kMarker.target, move.to);
        // By a click, or at the end of a drag that began on the pocket.
        const onPointer = (event: PointerEvent) => {
            const below = document.elementFromPoint(event.clientX, event.clientY);
            if (below && shown.view.svg.contains(below)) dropOn(below.getAttribute("data-square"));
        };
        addEventListener("pointerup", onPointer);
        return () => {
            removeEventListener("pointerup", onPointer);
            if (board.current) shown.removeMarkers(kMarker.target);
        };
    }, [props.drop, props.fen, drops.length]);

    function dropOn(square: string | null): boolean {
        const move = drops.find((one) => one.to === square);
        if (!move) return false;
        latest.current.onMove?.(move);
        latest.current.onDropped?.();
        return true;
    }

    function describe(square: string): string {
        const piece = piecesOf(props.fen)[square];
        return `${square} ${piece ? pieceName(piece) : t("emptySquare")}`;
    }

    function onKeyDown(event: KeyboardEvent): void {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const at = cursor ?? (orientation === "white" ? "e2" : "e7");
        const forward = orientation === "white" ? 1 : -1;
        const steps: Record<string, [number, number]> = {
            ArrowLeft: [-forward, 0],
            ArrowRight: [forward, 0],
            ArrowUp: [0, forward],
            ArrowDown: [0, -forward],
        };
        const step = steps[event.key];
        if (step) {
            const file = kFiles.indexOf(at[0] as "a") + step[0];
            const rank = Number(at[1]) + step[1];
            const square = kFiles[file] && rank >= 1 && rank <= 8 ? `${kFiles[file]}${rank}` : at;
            setCursor(square);
            say(describe(square));
        } else if (event.key === "Enter" || event.key === " ") {
            if (dropOn(at)) say("");
            else if (picked === null || picked === at) pick(picked === at ? null : at);
            else {
                const moves = candidates(props.legal ?? [], picked, at);
                if (moves.length > 0) {
                    setPicked(null);
                    say(sanText(moves[0]!.san));
                    play(moves);
                } else pick(at);
            }
        } else if (event.key === "Escape" && picked !== null) pick(null);
        else return;
        event.preventDefault();
    }

    function pick(square: string | null): void {
        const moves = (props.legal ?? []).filter((move) => move.from === square);
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

    function place(square: string): { left: string; top: string } {
        const file = kFiles.indexOf(square[0] as "a");
        const rank = Number(square[1]) - 1;
        const [x, y] = orientation === "white" ? [file, 7 - rank] : [7 - file, rank];
        return { left: `${x * 12.5}%`, top: `${y * 12.5}%` };
    }

    function choose(move: LegalMove | null): void {
        setChoice(null);
        if (move) props.onMove?.(move);
        else void board.current?.setPosition(boardOf(props.fen), false);
    }

    return (
        <div class="board">
            <div ref={context} class="board-squares" />
            <div
                class="board-keys"
                tabIndex={0}
                role="application"
                aria-label={t("boardLabel", {
                    side: t(side === "white" ? "whiteToMove" : "blackToMove"),
                })}
                aria-describedby="board-help"
                onKeyDown={onKeyDown}
                onFocus={() => setCursor(cursor ?? (orientation === "white" ? "e2" : "e7"))}
                onBlur={() => setCursor(null)}
            >
                {picked && <span class="key-picked" style={place(picked)} />}
                {cursor && <span class="key-cursor" style={place(cursor)} />}
            </div>
            <p id="board-help" class="hidden">
                {t("boardHelp")}
            </p>
            <p class="hidden" aria-live="polite">
                {said}
            </p>
            {choice && (
                <Promotion
                    moves={choice}
                    place={place}
                    side={side}
                    pressed={pressed.current}
                    onChoose={choose}
                />
            )}
        </div>
    );
}

function Promotion(props: {
    moves: LegalMove[];
    side: Side;
    pressed: boolean; // a button of the mouse, or a finger, is down
    place: (square: string) => { left: string; top: string };
    onChoose: (move: LegalMove | null) => void;
}) {
    const dialog = useRef<HTMLDivElement>(null);
    const [ready, setReady] = useState(false);
    useEffect(() => {
        const before = document.activeElement;
        dialog.current?.querySelector("button")?.focus();
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
            if (before instanceof HTMLElement) before.focus();
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
    const { left, top } = props.place(props.moves[0]!.to);
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
