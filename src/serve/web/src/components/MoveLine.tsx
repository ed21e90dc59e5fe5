// The line on the board as numbered moves, and buttons to move along it.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { IconButton, type IconName } from "./Icon";
import { href } from "../state";
import type { PlayedMove } from "../types";
import { moveNumber } from "./move-number";
import { sanText } from "./squares";
import { useRoving } from "./keys";

export function MoveLine(props: { start: string; line: readonly PlayedMove[]; at: number }) {
    const list = useRoving<HTMLOListElement>("a", null);
    const current = useRef<HTMLAnchorElement>(null);
    useEffect(() => {
        // Only the list scrolls, not the page.
        const box = list.current;
        const shown = current.current;
        if (box && shown) box.scrollTop = shown.offsetTop - box.clientHeight / 2;
    }, [props.at, props.line.length]);
    return (
        <ol ref={list} class="line" aria-label={t("line")}>
            {props.line.length === 0 && <li class="quiet">{t("lineEmpty")}</li>}
            {props.line.map((move, index) => {
                const before = index === 0 ? props.start : props.line[index - 1]!.fen;
                const shown = index + 1 === props.at;
                return (
                    <li key={index}>
                        <span class="number">{moveNumber(before, index === 0)}</span>
                        <a
                            ref={shown ? current : undefined}
                            href={href({ at: index + 1 === props.line.length ? null : index + 1 })}
                            aria-current={shown ? "step" : undefined}
                        >
                            {sanText(move.san)}
                        </a>
                    </li>
                );
            })}
        </ol>
    );
}

export function Walk(props: {
    at: number;
    length: number;
    onGo: (at: number) => void;
    onFlip: () => void;
}) {
    const { at, length, onGo } = props;
    const button = (label: string, icon: IconName, to: number, able: boolean) => (
        <IconButton label={label} icon={icon} disabled={!able} onClick={() => onGo(to)} />
    );
    return (
        <div class="walk" role="group" aria-label={t("walk")}>
            {button(t("toStart"), "start", 0, at > 0)}
            {button(t("back"), "back", at - 1, at > 0)}
            {button(t("forward"), "forward", at + 1, at < length)}
            {button(t("toEnd"), "end", length, at < length)}
            <IconButton label={t("flip")} icon="flip" onClick={props.onFlip} />
        </div>
    );
}
