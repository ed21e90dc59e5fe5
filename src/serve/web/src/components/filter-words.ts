// Words for filters and their choices.
import { t, type Word } from "../i18n";
import { kFilters, type Filter, type FilterField } from "../state";

// Filters and choices that have no word here are shown under the API's name.
const kLabels: Partial<Record<Filter, Word>> = {
    player: "filterPlayer",
    white: "white",
    black: "black",
    event: "event",
    site: "site",
    opening: "opening",
    "opening-eco": "openingEco",
    eco: "ecoTag",
    result: "result",
    since: "since",
    until: "until",
    "min-elo": "minElo",
    "max-elo": "maxElo",
    "white-elo": "whiteElo",
    "black-elo": "blackElo",
    "time-control": "timeControl",
    mode: "mode",
    termination: "termination",
    source: "source",
    "min-plies": "minPlies",
    "max-plies": "maxPlies",
    swing: "swing",
    "white-swing": "whiteSwing",
    "black-swing": "blackSwing",
    tag: "tag",
};

export type Choice = FilterField["choices"][number];
const kChoiceLabels: Partial<Record<Choice, Word>> = {
    "1-0": "whiteWins",
    "1/2-1/2": "draw",
    "0-1": "blackWins",
    ultrabullet: "ultrabullet",
    bullet: "bullet",
    blitz: "blitz",
    rapid: "rapid",
    classical: "classical",
    correspondence: "correspondence",
    rated: "rated",
    casual: "casual",
};
export function labelOf(filter: Filter): string {
    const word = kLabels[filter];
    return word ? t(word) : filter.replaceAll("-", " ");
}

export function choiceText(field: FilterField, value: string): string {
    const choice = field.choices.find((one) => one === value);
    const word = choice && kChoiceLabels[choice];
    return word ? t(word) : value;
}

export function fieldOf(filter: Filter): FilterField {
    return kFilters.find(({ name }) => name === filter)!;
}
