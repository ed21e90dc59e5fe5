// The colours of the squares. board.css has them.
import { useState } from "preact/hooks";
import { keep, setting } from "../settings";

export const kBoards = ["sage", "wood", "blue"] as const;
export type BoardTheme = (typeof kBoards)[number];

function stored(): BoardTheme {
    return kBoards.find((one) => one === setting("board")) ?? "sage";
}

export function startBoardTheme(): void {
    document.documentElement.dataset.board = stored();
}

export function useBoardTheme(): [BoardTheme, (theme: BoardTheme) => void] {
    const [board, setBoard] = useState<BoardTheme>(stored);
    return [
        board,
        (next) => {
            keep("board", next);
            startBoardTheme();
            setBoard(next);
        },
    ];
}
