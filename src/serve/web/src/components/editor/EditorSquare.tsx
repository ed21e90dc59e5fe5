// A square of the board that is set up. What stands there can be dragged away.
import { t } from "../../i18n";
import { StoneFace } from "./StoneFace";
import type { Dragged, Stone } from "./stones";

export function EditorSquare(props: {
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
            {stone && <StoneFace stone={stone} />}
        </button>
    );
}
