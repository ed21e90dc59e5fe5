// The printed signs of numeric annotation glyphs.
// prettier-ignore
const kSigns: Record<number, string> = {
    1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 11: "=", 12: "=", 13: "∞",
    14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 32: "⟳", 33: "⟳",
    36: "→", 37: "→", 40: "↑", 41: "↑", 44: "=∞", 45: "=∞", 132: "⇆", 133: "⇆", 138: "⊕", 139: "⊕",
    140: "∆", 142: "⌓", 145: "RR", 146: "N",
};

export function nagText(nag: number | string): string {
    return typeof nag === "string" ? nag : (kSigns[nag] ?? `$${nag}`);
}

// Returns the signs. Those for the move come first; those for the position follow after a blank.
export function nagsText(nags: readonly (number | string)[]): string {
    const isClose = (nag: number | string) => typeof nag === "number" && nag <= 9;
    const close = nags.filter(isClose).map(nagText);
    const apart = nags.filter((nag) => !isClose(nag)).map(nagText);
    return close.join("") + (apart.length > 0 ? ` ${apart.join(" ")}` : "");
}
