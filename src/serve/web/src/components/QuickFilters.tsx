// Speeds and ratings as buttons: the filters that are changed most often.
import { t } from "../i18n";
import { go, useAddress } from "../state";
import { choiceText, fieldOf } from "./filter-words";

const kSpeeds = ["bullet", "blitz", "rapid", "classical", "correspondence"];

// Groups of ratings, by their least; each ends before the next.
const kRatings = [0, 1600, 2000, 2200, 2400, 2600];

export function QuickFilters() {
    return (
        <div class="quick">
            <Speeds />
            <Ratings />
        </div>
    );
}

function Speeds() {
    const chosen = useAddress().params.getAll("time-control");
    return (
        <div role="group" aria-label={t("speeds")} class="segments">
            {kSpeeds.map((speed) => {
                const pressed = chosen.includes(speed);
                const others = chosen.filter((one) => one !== speed);
                return (
                    <button
                        key={speed}
                        type="button"
                        aria-pressed={pressed}
                        onClick={() =>
                            go({ "time-control": pressed ? others : [...others, speed] }, "replace")
                        }
                    >
                        {choiceText(fieldOf("time-control"), speed)}
                    </button>
                );
            })}
        </div>
    );
}

const lastOf = (group: number) => (kRatings[group + 1] ?? Infinity) - 1;

// Returns the first and the last group, both chosen, after a press on one; null: none. A group that
// is not chosen brings those between it and the others, because a filter is one range. At an end
// of the range a group is taken back; within, it alone stays.
function pressed(range: [number, number] | null, group: number): [number, number] | null {
    if (range === null) return [group, group];
    const [first, last] = range;
    if (group < first || group > last) return [Math.min(first, group), Math.max(last, group)];
    if (first === last) return null;
    if (group === first) return [first + 1, last];
    return group === last ? [first, last - 1] : [group, group];
}

function Ratings() {
    const { params } = useAddress();
    const least = Number(params.get("min-elo") ?? 0);
    const greatest = Number(params.get("max-elo") ?? Infinity);
    const isWithin = (group: number) => kRatings[group]! >= least && lastOf(group) <= greatest;
    const groups = [...kRatings.keys()].filter(isWithin);
    const all = groups.length === kRatings.length;
    const range: [number, number] | null =
        all || groups.length === 0 ? null : [groups[0]!, groups.at(-1)!];

    function choose(group: number): void {
        const [first, last] = pressed(range, group) ?? [0, kRatings.length - 1];
        const top = lastOf(last);
        const most = top === Infinity ? null : top;
        go({ "min-elo": kRatings[first] || null, "max-elo": most }, "replace");
    }

    return (
        <div role="group" aria-label={t("ratings")} class="segments">
            {kRatings.map((from, n) => (
                <button
                    key={from}
                    type="button"
                    aria-pressed={!all && groups.includes(n)}
                    onClick={() => choose(n)}
                >
                    {n === 0 ? `<${kRatings[1]}` : lastOf(n) === Infinity ? `${from}+` : from}
                </button>
            ))}
        </div>
    );
}
