// The filters of the address as chips, and a panel to set them. Every view may use it.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useApi } from "../api";
import { t } from "../i18n";
import { filters, go, kFilters, useAddress, type Filter, type FilterField } from "../state";
import type { Page, PlayerRow } from "../types";
import { AlikeNamesOfFilter } from "./AlikeNames";
import { choiceText, fieldOf, labelOf, type Choice } from "./filter-words";

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

// The fields that are always shown, in two rows. Players have fields of their own.
const kRows: readonly (readonly Filter[])[] = [
    ["result", "since", "until", "min-elo", "max-elo", "time-control", "mode"],
    ["opening", "opening-eco", "event", "site"],
];
const kPlayers: readonly Filter[] = ["player", "white", "black"];
const kMore = kFilters
    .map(({ name }) => name)
    .filter((name) => !kPlayers.includes(name) && !kRows.flat().includes(name));

export function FilterChips({ hide = [] }: { hide?: readonly Filter[] }) {
    const { params } = useAddress();
    const [open, setOpen] = useState(false);
    const opener = useRef<HTMLButtonElement>(null);
    const panel = useId();
    const set = filters(params).filter(([key]) => !hide.includes(key));

    function remove(key: string, value: string): void {
        const rest = params.getAll(key).filter((one) => one !== value);
        go({ [key]: rest, cursor: null });
        opener.current?.focus();
    }

    return (
        <section class="filters" aria-label={t("filters")}>
            <ul class="chips">
                {set.map(([key, value]) => {
                    const name = `${labelOf(key)}: ${choiceText(fieldOf(key), value)}`;
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
            {!hide.includes("player") && <AlikeNamesOfFilter />}
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
    const first = useRef<HTMLFormElement>(null);
    useEffect(() => first.current?.querySelector<HTMLElement>("input, select")?.focus(), []);

    const rowOf = (filters: readonly Filter[]) => (
        <div class="fields">
            {filters
                .filter((filter) => !hide.includes(filter))
                .map((filter) => (
                    <FilterInput key={filter} field={fieldOf(filter)} />
                ))}
        </div>
    );

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
            {kRows.map(rowOf)}
            <details>
                <summary>{t("moreFilters")}</summary>
                {rowOf(kMore)}
            </details>
            <p class="buttons">
                <button type="submit">{t("done")}</button>
            </p>
        </form>
    );
}

// A field for the value of a filter; for the first one, if there can be several.
function FilterInput({ field }: { field: FilterField }) {
    const { params } = useAddress();
    const { name } = field;
    const value = params.get(name) ?? "";
    function set(to: string): void {
        const others = field.repeatable ? params.getAll(name).slice(1) : [];
        go({ [name]: [to.trim(), ...others].filter((one) => one !== ""), cursor: null });
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
    const { data } = useApi<Page<PlayerRow>>(asked.length >= 2 ? "players" : null, [
        ["prefix", asked],
        ["limit", 12],
    ]);
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
