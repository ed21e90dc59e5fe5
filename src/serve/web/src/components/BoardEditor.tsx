// A board to set up: squares take what the palette offers. A square holds a text, because the
// palette may have more than pieces (jokers of patterns).
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { useRoving } from "./keys";
import { Piece } from "./Piece";
import { kFiles, pieceName } from "./squares";
import type { Side } from "../types";

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
    orientation?: Side;
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

export function BoardEditor(props: BoardEditorProps) {
    const { squares, palette, onChange } = props;
    const [brush, setBrush] = useState<string | null>(palette[0]?.code ?? null); // null: eraser
    const [focused, setFocused] = useState("e4");
    const grid = useRef<HTMLDivElement>(null);
    const bar = useRoving<HTMLDivElement>("button", { back: "ArrowLeft", on: "ArrowRight" });
    const dragged = useRef<{ code: string; from: string | null } | null>(null);
    const files = props.orientation === "black" ? [...kFiles].reverse() : kFiles;
    const ranks =
        props.orientation === "black" ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
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
        const column = files.indexOf(focused[0] as "a");
        const row = ranks.indexOf(Number(focused[1]));
        const step = {
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, -1],
            ArrowDown: [0, 1],
        }[event.key];
        if (step) {
            const file = files[column + step[0]!];
            const rank = ranks[row + step[1]!];
            if (file && rank) focus(`${file}${rank}`);
        } else if (event.key === "Delete" || event.key === "Backspace") put(focused, null);
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
            <div ref={bar} class="palette" role="group" aria-label={t("palette")}>
                {palette.map((stone) => (
                    <button
                        key={stone.code}
                        type="button"
                        title={stone.label}
                        aria-label={stone.label}
                        aria-pressed={brush === stone.code}
                        draggable
                        onDragStart={() => (dragged.current = { code: stone.code, from: null })}
                        onClick={() => setBrush(stone.code)}
                    >
                        <Face stone={stone} />
                    </button>
                ))}
                <button
                    type="button"
                    title={t("eraser")}
                    aria-label={t("eraser")}
                    aria-pressed={brush === null}
                    onClick={() => setBrush(null)}
                >
                    <span class="joker" aria-hidden="true">
                        ⌫
                    </span>
                </button>
            </div>
            <div
                ref={grid}
                class="editor-board"
                role="group"
                aria-label={props.label}
                onKeyDown={onKeyDown}
            >
                {ranks.map((rank) =>
                    files.map((file) => {
                        const square = `${file}${rank}`;
                        const code = squares[square];
                        const dark = (kFiles.indexOf(file) + rank) % 2 === 1;
                        return (
                            <button
                                key={square}
                                type="button"
                                class={dark ? "dark" : "light"}
                                data-square={square}
                                tabIndex={square === focused ? 0 : -1}
                                aria-label={`${square} ${code ? known(code).label : t("emptySquare")}`}
                                draggable={code !== undefined}
                                onDragStart={() => {
                                    if (code) dragged.current = { code, from: square };
                                }}
                                onDragEnd={(event) => {
                                    // Dragged off the board: the piece is removed.
                                    if (
                                        dragged.current &&
                                        event.dataTransfer?.dropEffect === "none"
                                    )
                                        put(square, null);
                                    dragged.current = null;
                                }}
                                onDragOver={(event) => event.preventDefault()}
                                onDrop={(event) => {
                                    event.preventDefault();
                                    const stone = dragged.current;
                                    if (!stone || stone.from === square) return;
                                    const rest = { ...squares };
                                    if (stone.from) delete rest[stone.from];
                                    onChange({ ...rest, [square]: stone.code });
                                    dragged.current = null;
                                }}
                                onFocus={() => setFocused(square)}
                                onClick={() => put(square, code === brush ? null : brush)}
                            >
                                {code && <Face stone={known(code)} />}
                            </button>
                        );
                    }),
                )}
            </div>
        </div>
    );
}
