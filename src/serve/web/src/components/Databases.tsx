// The databases that the explorer asks: all together, one of them, or two side by side.
import { useApi, type Answer, type Query } from "../api";
import { t } from "../i18n";
import { go } from "../state";
import type { Stats, Tree } from "../types";

// What one database, or all of them, answer.
export interface Side {
    name?: string; // of the database, if there are two sides
    query: Query;
    tree: Answer<Tree>;
}

// Returns file names without their directories, as far as they differ.
function shortNames(names: readonly string[]): string[] {
    const short = names.map((name) => name.replace(/^.*[/\\]/, ""));
    return short.map((name, n) => (short.indexOf(name) === short.lastIndexOf(name) ? name : names[n]!));
}

// The address has numbers of databases, counted from 1: "2", or "1,2". None: all databases.
export function useSides(params: URLSearchParams, asked: Query) {
    const stats = useApi<Stats>("stats").data;
    const names = shortNames(stats?.databases.map(({ name }) => name) ?? []);
    const [first, second] = (params.get("databases") ?? "").split(",");
    const queries = [first, second].map((one): Query => [...asked, ["database", one]]);
    const trees = [
        useApi<Tree>("tree", queries[0]),
        useApi<Tree>(second ? "tree" : null, queries[1]),
    ];
    const sides = trees.slice(0, second ? 2 : 1).map((tree, n): Side => {
        const name = second ? names[Number([first, second][n]) - 1] : undefined;
        return { name, query: queries[n]!, tree };
    });
    return { sides, names, chosen: [first, second].filter(Boolean).join(",") };
}

export function Databases({ names, chosen }: { names: readonly string[]; chosen: string }) {
    if (names.length < 2) return null;
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
            value={chosen}
            onChange={(event) => go({ databases: event.currentTarget.value })}
        >
            <option value="">{t("allDatabases")}</option>
            {[...one, ...pairs].map(({ value, text }) => (
                <option key={value} value={value}>
                    {text}
                </option>
            ))}
        </select>
    );
}
