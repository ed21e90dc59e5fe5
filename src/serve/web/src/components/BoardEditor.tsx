// A board to set up: squares take what the palette offers. A square holds a text, because the
// palette may have more than pieces (jokers of patterns).
import { useRef, useState, type MutableRef } from "preact/hooks";
import { t } from "../i18n";
import { useRoving } from "./keys";
import { Piece } from "./Piece";
import { kFiles, pieceName, squareBeside } from "./squares";

export interface Stone {
    code: string; // what a square holds: "K", "p", "?", "[Qq]"
    label: string; // for screen readers and as a title
    text?: string; // drawn instead of a piece
    key?: string; // puts it on the focused square; the code if absent
}

export const kPieceCodes = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

export function pieceStones(): Stone[] {
    return kPieceCodes.map((code) => ({ code, label: pieceName(code) }));
}

export interface BoardEditorProps {
    squares: Record<string, string>;
    onChange: (squares: Record<string, string>) => void;
    palette: readonly Stone[];
    label: string;
}

function Face({ stone }: { stone: Stone }) {
    if (stone.text === undefined && kPieceCodes.includes(stone.code))
        return <Piece piece={stone.code} />;
    return (
        <span class="joker" aria-hidden="true">
            {stone.text ?? stone.code}
        </span>
    );
}

// What is being dragged: a stone of the palette, or one that leaves its square.
type Dragged = MutableRef<{ code: string; from: string | null } | null>;

export function BoardEditor(props: BoardEditorProps) {
    const { squares, palette, onChange } = props;
    const [brush, setBrush] = useState<string | null>(palette[0]?.code ?? null); // null: eraser
    const [focused, setFocused] = useState("e4");
    const grid = useRef<HTMLDivElement>(null);
    const dragged: Dragged = useRef(null);
    const known = (code: string): Stone =>
        palette.find((stone) => stone.code === code) ?? { code, label: code };

    function put(square: string, code: string | null): void {
        const { [square]: _, ...rest } = squares;
        onChange(code === null ? rest : { ...rest, [square]: code });
    }

    function focus(square: string): void {
        setFocused(square);
        grid.current?.querySelector<HTMLElement>(`[data-square=${square}]`)?.focus();
    }

    function onKeyDown(event: KeyboardEvent): void {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const next = squareBeside(focused, event.key, "white");
        if (next) focus(next);
        else if (event.key === "Delete" || event.key === "Backspace") put(focused, null);
        else {
            const stone = palette.find((one) => (one.key ?? one.code) === event.key);
            if (!stone) return;
            put(focused, stone.code);
        }
        event.preventDefault();
        event.stopPropagation();
    }

    return (
        <div class="editor">
            <Palette stones={palette} brush={brush} onChoose={setBrush} dragged={dragged} />
            <div
                ref={grid}
                class="editor-board"
                role="group"
                aria-label={props.label}
                onKeyDown={onKeyDown}
            >
                {[8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
                    kFiles.map((file, column) => {
                        const square = `${file}${rank}`;
                        const code = squares[square];
                        return (
                            <Square
                                key={square}
                                square={square}
                                dark={(column + rank) % 2 === 1}
                                stone={code === undefined ? undefined : known(code)}
                                stop={square === focused}
                                dragged={dragged}
                                onMove={(from, moved) => {
                                    const rest = { ...squares };
                                    if (from) delete rest[from];
                                    onChange({ ...rest, [square]: moved });
                                }}
                                onRemove={() => put(square, null)}
                                onFocus={() => setFocused(square)}
                                onClick={() => put(square, code === brush ? null : brush)}
                            />
                        );
                    }),
                )}
            </div>
        </div>
    );
}

function Palette(props: {
    stones: readonly Stone[];
    brush: string | null;
    onChoose: (code: string | null) => void;
    dragged: Dragged;
}) {
    const bar = useRoving<HTMLDivElement>("button", { back: "ArrowLeft", on: "ArrowRight" });
    return (
        <div ref={bar} class="palette" role="group" aria-label={t("palette")}>
            {props.stones.map((stone) => (
                <button
                    key={stone.code}
                    type="button"
                    title={stone.label}
                    aria-label={stone.label}
                    aria-pressed={props.brush === stone.code}
                    draggable
                    onDragStart={() => (props.dragged.current = { code: stone.code, from: null })}
                    onClick={() => props.onChoose(stone.code)}
                >
                    <Face stone={stone} />
                </button>
            ))}
            <button
                type="button"
                title={t("eraser")}
                aria-label={t("eraser")}
                aria-pressed={props.brush === null}
                onClick={() => props.onChoose(null)}
            >
                <span class="joker" aria-hidden="true">
                    ⌫
                </span>
            </button>
        </div>
    );
}

function Square(props: {
    square: string;
    dark: boolean;
    stone: Stone | undefined;
    stop: boolean; // the one of the board that the Tab key stops at
    dragged: Dragged;
    onMove: (from: string | null, code: string) => void; // a stone was dropped here
    onRemove: () => void;
    onFocus: () => void;
    onClick: () => void;
}) {
    const { square, stone, dragged } = props;
    return (
        <button
            type="button"
            class={props.dark ? "dark" : "light"}
            data-square={square}
            tabIndex={props.stop ? 0 : -1}
            aria-label={`${square} ${stone?.label ?? t("emptySquare")}`}
            draggable={stone !== undefined}
            onDragStart={() => {
                if (stone) dragged.current = { code: stone.code, from: square };
            }}
            onDragEnd={(event) => {
                // Dragged off the board: the piece is removed.
                if (dragged.current && event.dataTransfer?.dropEffect === "none") props.onRemove();
                dragged.current = null;
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
                event.preventDefault();
                const moved = dragged.current;
                if (!moved || moved.from === square) return;
                props.onMove(moved.from, moved.code);
                dragged.current = null;
            }}
            onFocus={props.onFocus}
            onClick={props.onClick}
        >
            {stone && <Face stone={stone} />}
        </button>
    );
}
