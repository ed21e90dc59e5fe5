// A field for the value of a filter; for the first one, if there can be several.
import { t } from "../../i18n";
import { go, useAddress, type Filter, type FilterField } from "../../state";
import { Field } from "../Field";
import { choiceText, labelOf, type Choice } from "../filter-words";

// Choices that are offered, if not all: the others are "*" and second names of these.
const kOffered: Partial<Record<Filter, readonly Choice[]>> = { result: ["1-0", "1/2-1/2", "0-1"] };

const kExamples: Partial<Record<Filter, string>> = {
    since: "2004-11",
    until: "2024",
    opening: "najdorf",
    "opening-eco": "B90-B99",
    "white-elo": "2500-2600",
    "black-elo": "2500-",
    eco: "C60-C99",
    tag: "Round=1",
    swing: "200",
    "white-swing": "200",
    "black-swing": "200",
};
// Texts that are long enough to need a wide field.
const kWide: readonly Filter[] = ["opening", "event", "site", "termination", "source", "tag"];

export function FilterInput({ field }: { field: FilterField }) {
    const { params } = useAddress();
    const { name } = field;
    const value = params.get(name) ?? "";
    function set(to: string): void {
        const others = field.repeatable ? params.getAll(name).slice(1) : [];
        const values = new Set([to.trim(), ...others]);
        go({ [name]: [...values].filter((one) => one !== ""), cursor: null });
    }
    if (field.choices.length > 0)
        return (
            <Field label={labelOf(name)}>
                <select value={value} onChange={(event) => set(event.currentTarget.value)}>
                    <option value="">{t("any")}</option>
                    {(kOffered[name] ?? field.choices).map((choice) => (
                        <option key={choice} value={choice}>
                            {choiceText(field, choice)}
                        </option>
                    ))}
                </select>
            </Field>
        );
    const digits = field.type === "integer";
    return (
        <Field label={labelOf(name)}>
            <input
                inputMode={digits ? "numeric" : undefined}
                pattern={digits ? "[0-9]*" : undefined}
                size={digits ? 6 : kWide.includes(name) ? undefined : 10}
                placeholder={kExamples[name]}
                value={value}
                onChange={(event) => set(event.currentTarget.value)}
            />
        </Field>
    );
}
