// A board to set up: squares take what the palette offers.
import { useRef, useState } from "preact/hooks";
import { EditorSquare } from "./editor/EditorSquare";
import { Palette } from "./editor/Palette";
import type { Dragged, Stone } from "./editor/stones";
import { kFiles, squareBeside } from "./squares";

interface BoardEditorProps {
    squares: Record<string, string>;
    onChange: (squares: Record<string, string>) => void;
    palette: readonly Stone[];
    label: string;
}

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
                            <EditorSquare
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
