// Comments of a game: their text, and the arrows and squares that commands such as
// [%cal Ge2e4] and [%csl Rd5] draw on the board.
import type { Arrow } from "./board-drawing";

const kColours = { G: "green", R: "red", Y: "yellow", B: "blue" } as const;

export function commentText(comment: string | null): string {
    return (comment ?? "")
        .replace(/\[%[^\]]*\]/g, "")
        .replace(/\s+/g, " ")
        .trim();
}

function command(comment: string, name: string): string[] {
    const found = new RegExp(`\\[%${name}\\s+([^\\]]*)\\]`).exec(comment)?.[1] ?? "";
    return found.split(",").map((one) => one.trim());
}

// Returns the arrows and squares of a comment. A square is an arrow from and to the same square.
export function drawnOn(comment: string | null): Arrow[] {
    const drawn: Arrow[] = [];
    for (const item of [...command(comment ?? "", "cal"), ...command(comment ?? "", "csl")]) {
        const [, colour, from, to] = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(item) ?? [];
        if (!colour || !from) continue;
        drawn.push({ from, to: to ?? from, kind: kColours[colour as keyof typeof kColours] });
    }
    return drawn;
}

function commands(comment: string | null): string {
    return (comment?.match(/\[%[^\]]*\]/g) ?? []).join(" ");
}

// Returns the comment with another text, and the same commands.
export function withText(comment: string | null, text: string): string | null {
    return [commands(comment), text.trim()].filter(Boolean).join(" ") || null;
}

// Returns the comment with an arrow or a circle more; with one less if it has the same already.
export function withDrawn(comment: string | null, arrow: Arrow): string | null {
    const same = (one: Arrow) => one.from === arrow.from && one.to === arrow.to;
    const before = drawnOn(comment);
    const others = before.filter((one) => !same(one));
    const isThere = before.some((one) => same(one) && one.kind === arrow.kind);
    const drawn = isThere ? others : [...others, arrow];
    const list = (name: string, arrows: Arrow[]) =>
        arrows.length > 0 &&
        `[%${name} ${arrows.map((one) => (one.kind ?? "green")[0]!.toUpperCase() + one.from + (name === "cal" ? one.to : "")).join(",")}]`;
    const rest = (comment ?? "").replace(/\[%(cal|csl)[^\]]*\]/g, "").trim();
    const parts = [
        list("cal", drawn.filter(({ from, to }) => from !== to)),
        list("csl", drawn.filter(({ from, to }) => from === to)),
        rest,
    ];
    return parts.filter(Boolean).join(" ") || null;
}
