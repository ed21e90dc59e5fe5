// The steps of a sequence: one of them is edited.
import { t } from "../../i18n";
import type { Sequence, Step } from "./steps";

export interface StepTabsProps {
    sequence: Sequence;
    at: number; // the step that is edited
    onChange: (sequence: Sequence, at?: number) => void; // `at` changes as well, if given
}

function shortText({ move, material }: Step, n: number): string {
    const text = move.trim() || material.trim();
    return text === "" ? t("stepNumber", { n }) : `${n}. ${text}`;
}

export function StepTabs({ sequence, at, onChange }: StepTabsProps) {
    const { steps } = sequence;
    if (steps.length === 1) return null;
    const others = steps.filter((_, n) => n !== at);
    return (
        <div class="steps">
            <div role="group" aria-label={t("steps")} class="segments">
                {steps.map((step, n) => (
                    <button
                        key={n}
                        type="button"
                        aria-pressed={n === at}
                        onClick={() => onChange(sequence, n)}
                    >
                        {shortText(step, n + 1)}
                    </button>
                ))}
            </div>
            <button
                type="button"
                class="link"
                onClick={() => onChange({ ...sequence, steps: others }, Math.max(0, at - 1))}
            >
                {t("removeStep")}
            </button>
        </div>
    );
}
