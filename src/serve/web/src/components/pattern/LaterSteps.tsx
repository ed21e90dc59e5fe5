// Adds a step to a sequence, and says how soon each step follows the one before it.
import { t } from "../../i18n";
import { Field } from "../Field";
import type { StepTabsProps } from "./StepTabs";
import { kNoStep, type Sequence } from "./steps";

export function LaterSteps({ sequence, onChange }: Omit<StepTabsProps, "at">) {
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
