// The choice of another position, and of the rules.
import { t } from "../i18n";
import { go } from "../state";
import type { TreeInWork } from "./kept-trees";
import type { Line } from "./line";
import { PositionField } from "./PositionField";
import { kVariants } from "./variants";

export function PositionBar(props: {
    line: Line;
    work: TreeInWork;
    open: boolean;
    onOpen: (open: boolean) => void;
}) {
    const { line, work } = props;
    const begun = work.tree.line.length > 0 || line.base.some(([key, fen]) => key === "fen" && fen);
    return (
        <div class="position-bar">
            <PositionField fen={line.fen} variant={line.variant} />
            <select
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
            <button type="button" onClick={() => props.onOpen(!props.open)}>
                {t(props.open ? "backToBoard" : "changePosition")}
            </button>
            {begun && !props.open && (
                <button type="button" onClick={work.restart}>
                    {t("newLine")}
                </button>
            )}
            {work.bringBack && (
                <button type="button" onClick={work.bringBack}>
                    {t("bringBack")}
                </button>
            )}
        </div>
    );
}
