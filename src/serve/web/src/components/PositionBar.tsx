// The choice of another position, and of the rules.
import { useState } from "preact/hooks";
import { ApiError } from "../api";
import { t } from "../i18n";
import { go } from "../state";
import { Failure } from "./Failure";
import type { TreeInWork } from "./kept-trees";
import type { Line } from "./line";
import { showPasted } from "./pasted";
import { kVariants } from "./PositionForm";

export function PositionBar(props: {
    line: Line;
    work: TreeInWork;
    open: boolean;
    onOpen: (open: boolean) => void;
}) {
    const { line, work } = props;
    const [error, setError] = useState<ApiError>();
    const begun = work.tree.line.length > 0 || line.base.some(([key, fen]) => key === "fen" && fen);

    function show(text: string): void {
        setError(undefined);
        showPasted(text, line.variant).catch((failure: unknown) => {
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
        });
    }

    return (
        <div class="position-bar">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    show(event.currentTarget.querySelector("input")!.value);
                }}
            >
                <input
                    class="fen"
                    key={line.fen}
                    defaultValue={line.fen}
                    aria-label={t("fenLabel")}
                    title={t("fenLabel")}
                    aria-invalid={error !== undefined}
                    spellcheck={false}
                    autocomplete="off"
                    onFocus={(event) => event.currentTarget.select()}
                />
            </form>
            <Failure error={error} />
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
