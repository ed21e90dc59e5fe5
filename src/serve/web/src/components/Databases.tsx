// The databases that are asked: all together, one of them, or, in the explorer, two side by side.
import { useApi, type Answer, type Query } from "../api";
import { t } from "../i18n";
import { databasesOf, go, type Address } from "../state";
import type { Stats, Tree } from "../types";

// What one database, or all of them, answer.
export interface Side {
    name?: string; // of the database, if there are two sides
    query: Query;
    tree: Answer<Tree>;
}

// Returns file names without their directories, as far as they differ.
export function shortNames(names: readonly string[]): string[] {
    const short = names.map((name) => name.replace(/^.*[/\\]/, ""));
    const isAlone = (name: string) => short.indexOf(name) === short.lastIndexOf(name);
    return short.map((name, n) => (isAlone(name) ? name : names[n]!));
}

export function useSides(params: URLSearchParams, asked: Query) {
    const stats = useApi<Stats>("stats").data;
    const names = shortNames(stats?.databases.map(({ name }) => name) ?? []);
    const [first, second] = databasesOf(params);
    const queries = [first, second].map((one): Query => [...asked, ["database", one]]);
    const trees = [
        useApi<Tree>("tree", queries[0]),
        useApi<Tree>(second ? "tree" : null, queries[1]),
    ];
    return trees.slice(0, second ? 2 : 1).map((tree, n): Side => {
        const name = second ? names[Number([first, second][n]) - 1] : undefined;
        return { name, query: queries[n]!, tree };
    });
}

export function Databases({ names, address }: { names: readonly string[]; address: Address }) {
    if (names.length < 2) return null;
    const chosen = databasesOf(address.params);
    const inPairs = address.view === "explorer";
    const one = names.map((name, n) => ({ value: `${n + 1}`, text: name }));
    const pairs = one.flatMap((a, n) =>
        one.slice(n + 1).map((b) => ({
            value: `${a.value},${b.value}`,
            text: t("sideBySide", { a: a.text, b: b.text }),
        })),
    );
    return (
        <select
            aria-label={t("databases")}
            value={inPairs || chosen.length === 1 ? chosen.join(",") : ""}
            onChange={(event) => go({ databases: event.currentTarget.value, cursor: null })}
        >
            <option value="">{t("allDatabases")}</option>
            {[...one, ...(inPairs ? pairs : [])].map(({ value, text }) => (
                <option key={value} value={value}>
                    {text}
                </option>
            ))}
        </select>
    );
}
