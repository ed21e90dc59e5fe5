// The place of an open game that the board shows, and what leads to others: steps, keys, and moves
// that are tried.
import { address, go } from "../../state";
import type { LegalMove } from "../../types";
import type { Arrow } from "../board-drawing";
import { withDrawn } from "../comments";
import { useKeys } from "../keys";
import { annotated, commentAt, placeBeside, withMove } from "../tree";
import { useTried } from "../tried-moves";
import { mainPly, placeOf } from "./game-place";
import type { PlayedGame } from "./played-game";

export function useDeskWalk(stored: PlayedGame, params: URLSearchParams) {
    const tried = useTried(stored);
    const { game } = tried;
    const place = placeOf(game, params);

    const walk = (to: number | string | null) => {
        const inside = typeof to === "string" || (to !== null && to >= 0 && to <= game.line.length);
        if (inside) go({ ply: to, key: null }, "replace");
    };
    // Keys come faster than the page is drawn.
    const step = (by: 1 | -1) => walk(placeBeside(game, placeOf(game, address().params), by));
    const play = ({ san, uci, fen: after }: LegalMove) => {
        const made = { san, uci, fen: after, tried: true };
        const grown = withMove(game, place, made);
        if (grown.tree !== game) tried.change((one) => withMove(one, place, made).tree);
        walk(grown.place);
    };
    const draw = (arrow: Arrow) =>
        tried.change((one) =>
            annotated(one, place, { comment: withDrawn(commentAt(one, place), arrow) }),
        );
    const forget = () => {
        tried.forget();
        walk(Math.min(mainPly(place), stored.line.length));
    };
    const flip = () => go({ flip: !params.has("flip") }, "replace");
    useKeys({
        ArrowLeft: () => step(-1),
        ArrowRight: () => step(1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(game.line.length),
        f: flip,
    });
    return { game, place, anyTried: tried.any, walk, step, play, draw, forget, flip };
}
