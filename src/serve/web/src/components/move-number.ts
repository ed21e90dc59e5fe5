// Numbers of moves, from the position before them.

// Returns the number before a move, "12." or "12…"; empty if White's move is just before it.
export function moveNumber(fenBefore: string, first: boolean): string {
    const parts = fenBefore.trim().split(/[ _]+/);
    const black = parts[1] === "b";
    const number = parts.reverse().find((part) => /^\d+$/.test(part)) ?? "1";
    return black ? (first ? `${number}…` : "") : `${number}.`;
}
