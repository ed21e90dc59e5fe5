// The steps of a sequence: one of them is edited. Says how soon each follows the one before it.
import { t } from "../i18n";
import { Field } from "./Field";
import { kNoStep, type Sequence, type Step } from "./steps";

interface Props {
    sequence: Sequence;
    at: number; // the step that is edited
    onChange: (sequence: Sequence, at?: number) => void; // `at` changes as well, if given
}

function shortText({ move, material }: Step, n: number): string {
    const text = move.trim() || material.trim();
    return text === "" ? t("stepNumber", { n }) : `${n}. ${text}`;
}

export function StepTabs({ sequence, at, onChange }: Props) {
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

export function LaterSteps({ sequence, onChange }: Omit<Props, "at">) {
    const { steps } = sequence;
    return (
        <div class="steps">
            {steps.length > 1 && <Gap sequence={sequence} onChange={onChange} />}
            <button
                type="button"
                onClick={() => onChange({ ...sequence, steps: [...steps, kNoStep] }, steps.length)}
            >
                {t("addStep")}
            </button>
        </div>
    );
}

const kGaps = ["any", "within", "streak"] as const;
const kGapWords = { any: "gapAny", within: "gapWithin", streak: "gapStreak" } as const;
const kUsualPlies = "6";

function Gap({ sequence, onChange }: { sequence: Sequence; onChange: (to: Sequence) => void }) {
    const { within, streak } = sequence;
    const gap = streak ? "streak" : within !== "" ? "within" : "any";
    return (
        <div class="fields">
            <Field label={t("stepGap")}>
                <select
                    value={gap}
                    onChange={(event) => {
                        const chosen = event.currentTarget.value;
                        onChange({
                            ...sequence,
                            streak: chosen === "streak",
                            within: chosen === "within" ? kUsualPlies : "",
                        });
                    }}
                >
                    {kGaps.map((one) => (
                        <option key={one} value={one}>
                            {t(kGapWords[one])}
                        </option>
                    ))}
                </select>
            </Field>
            {gap === "within" && (
                <Field label={t("gapPlies")}>
                    <input
                        type="number"
                        min={1}
                        required
                        value={within}
                        onInput={(event) =>
                            onChange({ ...sequence, within: event.currentTarget.value || "1" })
                        }
                    />
                </Field>
            )}
        </div>
    );
}
