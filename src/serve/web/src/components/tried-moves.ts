// Moves and arrows that are tried on the board of a game. They are no part of the game, and last as
// long as the page.
import { useMemo, useState } from "preact/hooks";
import type { PlayedGame } from "./game/played-game";

type Change = (game: PlayedGame) => PlayedGame;

const kNone: readonly Change[] = [];
const changes = new Map<string, readonly Change[]>(); // by ref

export interface Tried {
    game: PlayedGame; // with what was tried
    any: boolean;
    change: (change: Change) => void;
    forget: () => void;
}

export function useTried(stored: PlayedGame): Tried {
    const [, redraw] = useState(0);
    const made = changes.get(stored.ref) ?? kNone;
    const game = useMemo(() => made.reduce((one, change) => change(one), stored), [stored, made]);
    const set = (all: readonly Change[]) => {
        changes.set(stored.ref, all);
        redraw((n) => n + 1);
    };
    return {
        game,
        any: made.length > 0,
        change: (one) => set([...made, one]),
        forget: () => set(kNone),
    };
}
