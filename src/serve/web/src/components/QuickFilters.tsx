// Speeds and ratings as buttons: the filters that are changed most often.
import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { go, useAddress, type Filter } from "../state";
import { choiceText, fieldOf } from "./filter-words";

const kSpeeds = ["bullet", "blitz", "rapid", "classical", "correspondence"];
const kRatings = ["1600", "2000", "2200", "2400", "2600"];

export function QuickFilters({ children }: { children?: ComponentChildren }) {
    const speed = fieldOf("time-control");
    return (
        <div class="quick">
            <Choice
                filter="time-control"
                label={t("speeds")}
                values={kSpeeds}
                text={(value) => choiceText(speed, value)}
            />
            <Choice
                filter="min-elo"
                label={t("ratingsFrom")}
                values={kRatings}
                text={(value) => `${value}+`}
            />
            {children}
        </div>
    );
}

// A value that is chosen already is taken back.
function Choice(props: {
    filter: Filter;
    label: string;
    values: readonly string[];
    text: (value: string) => string;
}) {
    const { filter, values } = props;
    const chosen = useAddress().params.get(filter);
    return (
        <div role="group" aria-label={props.label} class="segments">
            {values.map((value) => (
                <button
                    key={value}
                    type="button"
                    aria-pressed={value === chosen}
                    onClick={() => go({ [filter]: value !== chosen && value }, "replace")}
                >
                    {props.text(value)}
                </button>
            ))}
        </div>
    );
}
