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
