// The stones to choose from, and the eraser.
import { t } from "../../i18n";
import { useRoving } from "../keys";
import { StoneFace } from "./StoneFace";
import type { Dragged, Stone } from "./stones";

export function Palette(props: {
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
                    <StoneFace stone={stone} />
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
