// The filters of the address as chips, and a panel to set them. Every view may use it.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useApi } from "../api";
import { t, type Word } from "../i18n";
import { filters, go, kManyFilters, useAddress, type Filter } from "../state";
import type { Page } from "../types";

interface Choice {
    value: string;
    label: Word;
}

const kResults: Choice[] = [
    { value: "1-0", label: "whiteWins" },
    { value: "1/2-1/2", label: "draw" },
    { value: "0-1", label: "blackWins" },
];
const kTimes: Choice[] = [
    { value: "ultrabullet", label: "ultrabullet" },
    { value: "bullet", label: "bullet" },
    { value: "blitz", label: "blitz" },
    { value: "rapid", label: "rapid" },
    { value: "classical", label: "classical" },
    { value: "correspondence", label: "correspondence" },
];
const kModes: Choice[] = [
    { value: "rated", label: "rated" },
    { value: "casual", label: "casual" },
];

const kLabels: Record<Filter, Word> = {
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
    tag: "tag",
};

function chipValue(filter: Filter, value: string): string {
    const choice = [...kResults, ...kTimes, ...kModes].find((one) => one.value === value);
    return choice && ["result", "time-control", "mode"].includes(filter) ? t(choice.label) : value;
}

export function FilterChips({ hide = [] }: { hide?: readonly Filter[] }) {
    const { params } = useAddress();
    const [open, setOpen] = useState(false);
    const opener = useRef<HTMLButtonElement>(null);
    const panel = useId();
    const set = filters(params).filter(([key]) => !hide.includes(key as Filter));

    function remove(key: string, value: string): void {
        const rest = params.getAll(key).filter((one) => one !== value);
        go({ [key]: rest, cursor: null });
        opener.current?.focus();
    }

    return (
        <section class="filters" aria-label={t("filters")}>
            <ul class="chips">
                {set.map(([key, value]) => {
                    const name = `${t(kLabels[key as Filter])}: ${chipValue(key as Filter, value)}`;
                    return (
                        <li key={`${key}=${value}`} class="chip">
                            <span>{name}</span>
                            <button
                                type="button"
                                aria-label={t("removeFilter", { name })}
                                title={t("removeFilter", { name })}
                                onClick={() => remove(key, value)}
                            >
                                ×
                            </button>
                        </li>
                    );
                })}
                <li>
                    <button
                        ref={opener}
                        type="button"
                        class="add-filter"
                        aria-expanded={open}
                        aria-controls={panel}
                        onClick={() => setOpen(!open)}
                    >
                        {open ? t("closeFilters") : t("addFilter")}
                    </button>
                </li>
                {set.length > 1 && (
                    <li>
                        <button
                            type="button"
                            class="link"
                            onClick={() => {
                                const none = Object.fromEntries(set.map(([key]) => [key, null]));
                                go({ ...none, cursor: null });
                                opener.current?.focus();
                            }}
                        >
                            {t("removeAllFilters")}
                        </button>
                    </li>
                )}
            </ul>
            <div id={panel} hidden={!open}>
                {open && (
                    <Panel
                        hide={hide}
                        onClose={() => {
                            setOpen(false);
                            opener.current?.focus();
                        }}
                    />
                )}
            </div>
        </section>
    );
}

function Panel({ hide, onClose }: { hide: readonly Filter[]; onClose: () => void }) {
    const { params } = useAddress();
    const first = useRef<HTMLFormElement>(null);
    useEffect(() => first.current?.querySelector<HTMLElement>("input, select")?.focus(), []);

    function set(key: Filter, value: string): void {
        const many = kManyFilters.includes(key);
        const others = many ? params.getAll(key).slice(1) : [];
        go({ [key]: [value.trim(), ...others].filter((one) => one !== ""), cursor: null });
    }
    const text = (key: Filter, extra: object = {}) =>
        hide.includes(key) ? null : (
            <Field label={t(kLabels[key])} key={key}>
                <input
                    {...extra}
                    value={params.get(key) ?? ""}
                    onChange={(event) => set(key, event.currentTarget.value)}
                />
            </Field>
        );
    const choose = (key: Filter, choices: Choice[]) => (
        <Field label={t(kLabels[key])} key={key}>
            <select
                value={params.get(key) ?? ""}
                onChange={(event) => set(key, event.currentTarget.value)}
            >
                <option value="">{t("any")}</option>
                {choices.map(({ value, label }) => (
                    <option key={value} value={value}>
                        {t(label)}
                    </option>
                ))}
            </select>
        </Field>
    );
    const digits = { inputMode: "numeric", pattern: "[0-9]*", size: 6 };

    return (
        <form
            ref={first}
            class="filter-panel"
            onSubmit={(event) => {
                event.preventDefault();
                (document.activeElement as HTMLElement | null)?.blur();
                onClose();
            }}
            onKeyDown={(event) => {
                if (event.key === "Escape") onClose();
            }}
        >
            {!hide.includes("player") && <Players />}
            <div class="fields">
                {choose("result", kResults)}
                {text("since", { placeholder: "2004-11", size: 10 })}
                {text("until", { placeholder: "2024", size: 10 })}
                {text("min-elo", digits)}
                {text("max-elo", digits)}
                {choose("time-control", kTimes)}
                {choose("mode", kModes)}
            </div>
            <div class="fields">
                {text("opening", { placeholder: "najdorf" })}
                {text("opening-eco", { placeholder: "B90-B99", size: 10 })}
                {text("event")}
                {text("site")}
            </div>
            <details>
                <summary>{t("moreFilters")}</summary>
                <div class="fields">
                    {text("white-elo", { placeholder: "2500-2600", size: 10 })}
                    {text("black-elo", { placeholder: "2500-", size: 10 })}
                    {text("min-plies", digits)}
                    {text("max-plies", digits)}
                    {text("eco", { placeholder: "C60-C99", size: 10 })}
                    {text("termination")}
                    {text("source")}
                    {text("tag", { placeholder: "Round=1" })}
                </div>
            </details>
            <p class="buttons">
                <button type="submit">{t("done")}</button>
            </p>
        </form>
    );
}

// Three fields: a player, a colour and an opponent. The API has `player` (which can be given
// twice), `white` and `black` for them.
function Players() {
    const { params } = useAddress();
    const [either = "", second = ""] = params.getAll("player");
    const white = params.get("white") ?? "";
    const black = params.get("black") ?? "";
    const stored = white ? "white" : black ? "black" : "";
    const [wanted, setWanted] = useState(stored);
    const colour = stored || (either ? "" : wanted);
    const name = colour === "white" ? white : colour === "black" ? black : either;
    const against = colour === "white" ? black : colour === "black" ? white : second;

    function set(toName: string, toColour: string, toAgainst: string): void {
        setWanted(toColour);
        const pair = [toName.trim(), toAgainst.trim()].filter((one) => one !== "");
        const changes =
            toColour === "white"
                ? { player: [], white: toName.trim(), black: toAgainst.trim() }
                : toColour === "black"
                  ? { player: [], white: toAgainst.trim(), black: toName.trim() }
                  : { player: pair, white: "", black: "" };
        go({ ...changes, cursor: null });
    }

    return (
        <div class="fields">
            <Field label={t("filterPlayer")}>
                <PlayerInput value={name} onChange={(value) => set(value, colour, against)} />
            </Field>
            <Field label={t("colour")}>
                <select
                    value={colour}
                    onChange={(event) => set(name, event.currentTarget.value, against)}
                >
                    <option value="">{t("eitherColour")}</option>
                    <option value="white">{t("white")}</option>
                    <option value="black">{t("black")}</option>
                </select>
            </Field>
            <Field label={t("against")}>
                <PlayerInput value={against} onChange={(value) => set(name, colour, value)} />
            </Field>
        </div>
    );
}

// A name with suggestions from the database.
export function PlayerInput(props: {
    value: string;
    onChange: (value: string) => void;
    id?: string;
}) {
    const [typed, setTyped] = useState(props.value);
    const [asked, setAsked] = useState("");
    useEffect(() => setTyped(props.value), [props.value]);
    useEffect(() => {
        // Names are looked up when the typing pauses.
        const pause = setTimeout(() => setAsked(typed.trim()), 150);
        return () => clearTimeout(pause);
    }, [typed]);
    const list = useId();
    const { data } = useApi<Page<{ name: string; games: number }>>(
        asked.length >= 2 ? "players" : null,
        [
            ["prefix", asked],
            ["limit", 12],
        ],
    );
    return (
        <>
            <input
                id={props.id}
                list={list}
                value={typed}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => setTyped(event.currentTarget.value)}
                onChange={(event) => props.onChange(event.currentTarget.value)}
            />
            <datalist id={list}>
                {data?.items.map((player) => (
                    <option key={player.name} value={player.name}>
                        {t("gamesOf", { n: player.games })}
                    </option>
                ))}
            </datalist>
        </>
    );
}

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
    return (
        <label class="field">
            <span>{label}</span>
            {children}
        </label>
    );
}
