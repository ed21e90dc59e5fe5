// The address holds the whole state of the page, in its query: /?view=games&player=carlsen.
// The browser's back and forward buttons therefore work, and every view can be bookmarked.
import { useEffect, useState } from "preact/hooks";
import { kFilterFields } from "./types";

export const kViewNames = [
    "explorer",
    "games",
    "repetitions",
    "patterns",
    "player",
    "prepare",
    "novelty",
    "repertoire",
] as const;
export type ViewName = (typeof kViewNames)[number];

// The keys of a position. `play` is the whole line, `at` the number of its plies that are shown.
export const kPosition = ["variant", "fen", "play", "at"] as const;

// The filters of the API. The variant is that of the position.
export type FilterField = Exclude<(typeof kFilterFields)[number], { name: "variant" }>;
export type Filter = FilterField["name"];
export const kFilters = kFilterFields.filter(
    (field): field is FilterField => field.name !== "variant",
);

// These keys stay when the view changes; all others belong to one view.
const kShared: readonly string[] = [
    ...kPosition,
    ...kFilters.map(({ name }) => name),
    "databases",
    "flip",
];

// The views about one player. Its name stays while these follow each other.
const kOfPlayer: readonly ViewName[] = ["player", "prepare"];

export type Value = string | number | boolean | readonly string[] | null | undefined;
export type Changes = Record<string, Value>;

export interface Address {
    view: ViewName;
    params: URLSearchParams;
}

function parse(search: string): Address {
    const params = new URLSearchParams(search);
    const name = params.get("view");
    // A player's colour was part of the view Player once; those addresses lead to Prepare.
    const moved = name === "player" && params.has("color");
    const view = moved ? "prepare" : (kViewNames.find((v) => v === name) ?? "explorer");
    return { view, params };
}

let current = parse(location.search);
const listeners = new Set<() => void>();

// Encodes a value readably: characters that a query allows stay. FENs have "_" for blanks, which
// the server understands.
function encode(key: string, value: string): string {
    return encodeURIComponent(key === "fen" ? value.replace(/ /g, "_") : value)
        .replace(/%20/g, "+")
        .replace(/%(2C|2F|3A|40)/g, decodeURIComponent);
}

function query(params: URLSearchParams): string {
    const parts = [...params].map(([key, value]) => `${key}=${encode(key, value)}`);
    return parts.length > 0 ? `?${parts.join("&")}` : "./";
}

function changed(changes: Changes): URLSearchParams {
    const target = changes.view;
    const params = new URLSearchParams();
    const moves = target !== undefined && target !== current.view;
    const samePlayer = [target, current.view].every((view) =>
        kOfPlayer.some((one) => one === view),
    );
    for (const [key, value] of current.params) {
        if (key in changes) continue;
        if (moves && !kShared.includes(key) && !(samePlayer && key === "name")) continue;
        params.append(key, value);
    }
    for (const [key, value] of Object.entries(changes)) {
        if (key === "view" && value === "explorer") continue;
        if (Array.isArray(value)) for (const one of value) params.append(key, String(one));
        else if (value !== null && value !== undefined && value !== false && value !== "")
            params.append(key, value === true ? "1" : String(value));
    }
    if (params.has("view") && params.keys().next().value !== "view") {
        const sorted = new URLSearchParams([["view", params.get("view")!]]);
        for (const [key, value] of params) if (key !== "view") sorted.append(key, value);
        return sorted;
    }
    return params;
}

// Returns the address after these changes. null, false and "" remove a key. A change of view drops
// the keys that belong to the old view.
export function href(changes: Changes): string {
    return query(changed(changes));
}

function announce(): void {
    current = parse(location.search);
    for (const listener of [...listeners]) listener();
}

// Goes to the address after these changes. "replace" adds no step to the history.
export function go(changes: Changes, how: "push" | "replace" = "push"): void {
    const address = href(changes);
    if (address === (location.search || "./")) return;
    if (how === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    announce();
}

export function address(): Address {
    return current;
}

export function useAddress(): Address {
    const [, redraw] = useState(0);
    useEffect(() => {
        const listener = () => redraw((n) => n + 1);
        listeners.add(listener);
        return () => void listeners.delete(listener);
    }, []);
    return current;
}

// Makes links inside the page change the address without loading the page again.
export function followLinks(): void {
    addEventListener("popstate", announce);
    addEventListener("click", (event) => {
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        const link = (event.target as Element | null)?.closest?.("a[href]");
        if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download"))
            return;
        if (link.origin !== location.origin || link.pathname !== location.pathname) return;
        if (link.hash) return;
        event.preventDefault();
        if (link.search === location.search) return;
        history.pushState(null, "", link.href);
        announce();
    });
}

// Returns the filters that are set, as parameters of the API.
export function filters(params: URLSearchParams): [Filter, string][] {
    const set: [Filter, string][] = [];
    for (const [key, value] of params) {
        const field = kFilters.find(({ name }) => name === key);
        if (field && value !== "") set.push([field.name, value]);
    }
    return set;
}

// Returns the numbers of the databases that are asked, counted from 1: none for all together, one,
// or two that the explorer shows side by side.
export function databasesOf(params: URLSearchParams): string[] {
    return (params.get("databases") ?? "").split(",").filter((one) => one !== "");
}

// Returns the filters that are set, and the database if only one is asked, as parameters of the API.
export function conditions(params: URLSearchParams): [string, string][] {
    const [only, second] = databasesOf(params);
    return only && !second ? [...filters(params), ["database", only]] : filters(params);
}
