// The orders in which games and events are listed.
import type { Word } from "../i18n";

const kSorts: [string, Word][] = [
    ["id", "sortId"],
    ["date", "sortDate"],
    ["elo", "sortElo"],
    ["plies", "sortPlies"],
];
const kEventSorts: [string, Word][] = [
    ["games", "sortGames"],
    ["name", "sortName"],
    ["date", "sortDate"],
    ["players", "sortPlayers"],
    ["rating", "sortElo"],
];

export function sortsOf(byEvent: boolean): [string, Word][] {
    return byEvent ? kEventSorts : kSorts;
}
