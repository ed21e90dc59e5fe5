// Words in the user's language. Each language has one table of all words.
import { useEffect, useState } from "preact/hooks";
import { keep, setting } from "../settings";
import { de } from "./de";
import { en } from "./en";

export type Word = keyof typeof en;
export type Words = Record<Word, string>;
export const kLanguages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof kLanguages;

const tables: Record<Language, Words> = { en, de };

function preferred(): Language {
    const chosen = setting("language");
    if (chosen !== null && chosen in tables) return chosen as Language;
    for (const tag of navigator.languages) {
        const code = tag.slice(0, 2).toLowerCase();
        if (code in tables) return code as Language;
    }
    return "en";
}

let language: Language = preferred();
const listeners = new Set<() => void>();
document.documentElement.lang = language;

export function currentLanguage(): Language {
    return language;
}

export function setLanguage(to: Language): void {
    language = to;
    keep("language", to);
    document.documentElement.lang = to;
    for (const listener of [...listeners]) listener();
}

// Redraws the component, and all below it, when the language changes.
export function useLanguage(): Language {
    const [, redraw] = useState(0);
    useEffect(() => {
        const listener = () => redraw((n) => n + 1);
        listeners.add(listener);
        return () => void listeners.delete(listener);
    }, []);
    return language;
}

// Returns the word, with {name} replaced by its value. Numbers have the format of the language.
export function t(word: Word, values: Record<string, string | number> = {}): string {
    return tables[language][word].replace(/\{(\w+)\}/g, (whole, name: string) => {
        const value = values[name];
        if (value === undefined) return whole;
        return typeof value === "number" ? number(value) : value;
    });
}

// Returns "1 game" or "2 games": uses `one` if n is 1, else `many`. {n} is the number.
export function count(n: number, one: Word, many: Word): string {
    return t(n === 1 ? one : many, { n });
}

export function number(value: number, digits = 0): string {
    return value.toLocaleString(language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
    });
}

// Returns 1.19M for 1,187,978; for narrow columns.
export function shortNumber(value: number): string {
    return value.toLocaleString(language, { notation: "compact", maximumSignificantDigits: 3 });
}

export function percent(part: number, whole: number, digits = 0): string {
    return `${number(whole > 0 ? (100 * part) / whole : 0, digits)}%`;
}

// Returns "1993" or "1993–1995"; empty if the years are unknown.
export function years(first: number | null | undefined, last: number | null | undefined): string {
    if (!first || !last) return "";
    return first === last ? String(first) : `${first}–${last}`;
}

// Returns the known parts of a PGN date, 2019.08.??, in the format of the language.
export function date(pgn: string | null | undefined): string {
    if (!pgn) return "";
    const known = pgn.split(".").filter((part) => !part.includes("?"));
    if (known.length < 3) return known.join(language === "de" ? "." : "-");
    const [year, month, day] = known;
    return language === "de" ? `${day}.${month}.${year}` : `${year}-${month}-${day}`;
}
