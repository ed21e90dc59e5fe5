// Tools for another position: the rules, setting up by hand, a new beginning.
import { t } from "../i18n";
import { go } from "../state";
import { IconButton } from "./Icon";
import type { TreeInWork } from "./kept-trees";
import type { Line } from "./line";
import { kVariants } from "./variants";

export function PositionTools(props: {
    line: Line;
    work: TreeInWork;
    open: boolean;
    onOpen: (open: boolean) => void;
}) {
    const { line, work } = props;
    const begun = work.tree.line.length > 0 || line.base.some(([key, fen]) => key === "fen" && fen);
    return (
        <>
            <select
                class="variant"
                value={line.variant || "standard"}
                aria-label={t("variant")}
                title={t("variant")}
                onChange={(event) => {
                    const to = event.currentTarget.value;
                    go({ variant: to === "standard" ? null : to, fen: null, play: null, at: null });
                }}
            >
                {kVariants.map(([name, label]) => (
                    <option key={name} value={name}>
                        {label}
                    </option>
                ))}
            </select>
            <div class="tools" role="group" aria-label={t("position")}>
                <IconButton
                    label={t(props.open ? "backToBoard" : "changePosition")}
                    icon={props.open ? "board" : "pieces"}
                    onClick={() => props.onOpen(!props.open)}
                />
                {begun && !props.open && (
                    <IconButton label={t("newLine")} icon="restart" onClick={work.restart} />
                )}
                {work.bringBack && (
                    <IconButton label={t("bringBack")} icon="bringBack" onClick={work.bringBack} />
                )}
            </div>
        </>
    );
}
