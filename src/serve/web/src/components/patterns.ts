// Patterns as text, in the form of `fendex find --pattern`, and as squares of a board. A square has
// a piece; or "!", any piece; "A" or "a", any piece of a colour; "1", nothing; "[Qq]", one of
// these. A square that may hold anything is absent.
import { kFiles } from "./squares";

export type Squares = Record<string, string>;

const kToken = /\[\^?[^\]]*\]|[1-8]|[KQRBNPkqrbnp!Aa?*]/g;

function rankText(codes: readonly (string | undefined)[]): string {
    // The longest run of free squares becomes "*".
    let longest = { from: 0, length: 0 };
    for (let from = 0; from < codes.length; from++) {
        let length = 0;
        while (from + length < codes.length && codes[from + length] === undefined) length++;
        if (length > longest.length) longest = { from, length };
    }
    let text = "";
    let blanks = 0;
    const flush = () => {
        if (blanks > 0) text += blanks;
        blanks = 0;
    };
    for (let at = 0; at < codes.length; at++) {
        const code = codes[at];
        if (code === "1") {
            blanks++;
            continue;
        }
        flush();
        if (longest.length > 2 && at === longest.from) {
            text += "*";
            at += longest.length - 1;
        } else text += code ?? "?";
    }
    flush();
    return text;
}

// Returns the text of a pattern; "" if there are no squares.
export function patternOf(squares: Squares): string {
    if (Object.keys(squares).length === 0) return "";
    const ranks: string[] = [];
    for (let rank = 8; rank >= 1; rank--)
        ranks.push(rankText(kFiles.map((file) => squares[`${file}${rank}`])));
    return ranks.join("/");
}

// Returns the squares of a pattern; null if the text is not a whole board. Only the server checks
// the text exactly.
export function squaresOf(pattern: string): Squares | null {
    if (pattern.trim() === "") return {};
    const ranks = pattern.trim().split("/");
    if (ranks.length !== 8) return null;
    const squares: Squares = {};
    for (const [index, rank] of ranks.entries()) {
        const tokens = rank.match(kToken) ?? [];
        if (tokens.join("") !== rank) return null;
        const codes = tokens.flatMap((token) =>
            /[1-8]/.test(token) ? Array<string>(Number(token)).fill("1") : [token],
        );
        const star = codes.indexOf("*");
        if (star >= 0) codes.splice(star, 1, ...Array<string>(Math.max(0, 9 - codes.length)).fill("?"));
        if (codes.length !== 8 || codes.includes("*")) return null;
        codes.forEach((code, file) => {
            if (code !== "?") squares[`${kFiles[file]}${8 - index}`] = code;
        });
    }
    return squares;
}

// The word that asks for opposite-coloured bishops.
export const kOpposite = "opposite";

// Returns the condition for each piece, such as "=1" for Q in "Q=1 R>=2", and whether bishops must
// be of opposite colours; null if the text is not a list of conditions.
export function conditionsOf(material: string): Record<string, string> | null {
    const conditions: Record<string, string> = {};
    for (const word of material.trim().split(/\s+/)) {
        if (word === "") continue;
        if (word === kOpposite) {
            conditions[kOpposite] = kOpposite;
            continue;
        }
        const [, piece, how] = /^([QRBNPqrbnp])((?:=|!=|<=?|>=?)\d+)$/.exec(word) ?? [];
        if (!piece || !how || conditions[piece]) return null;
        conditions[piece] = how;
    }
    return conditions;
}

export function materialOf(conditions: Record<string, string>): string {
    return [..."QRBNPqrbnp"]
        .filter((piece) => conditions[piece])
        .map((piece) => `${piece}${conditions[piece]}`)
        .concat(conditions[kOpposite] ?? [])
        .join(" ");
}
