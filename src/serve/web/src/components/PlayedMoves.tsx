// The moves played from a position, or why there are none.
import type { Answer } from "../api";
import { count, t } from "../i18n";
import type { Tree, TreeMove } from "../types";
import { afterMove, type Line } from "./line";
import { MoveTable } from "./MoveTable";

// Shows a move as an arrow on the board, or no move.
export type Point = (uci: string | null | undefined) => void;

export function PlayedMoves(props: {
    line: Line;
    tree: Answer<Tree>;
    pgn: string; // the address of the tree as PGN
    filtered: boolean;
    onPoint: Point;
}) {
    const { line, onPoint } = props;
    const { data, loading } = props.tree;
    const uciOf = (move: TreeMove) =>
        line.legal.find((one) => one.san === move.san)?.uci ?? move.played;
    const ended = data && data.games > 0 ? data.ended.games : 0;
    return (
        <div class={loading ? "waiting" : ""} aria-busy={loading}>
            {data && data.games > 0 && data.moves.length > 0 && (
                <>
                    <MoveTable
                        tree={data}
                        link={(move) => afterMove(line, uciOf(move))}
                        onPoint={(move) => onPoint(move?.played)}
                    />
                    <p class="buttons">
                        <a class="button" href={props.pgn} download="tree.pgn">
                            {t("treePgn")}
                        </a>
                    </p>
                </>
            )}
            {ended > 0 && <p class="quiet">{count(ended, "oneEnded", "manyEnded")}</p>}
            {data && data.games === 0 && (
                <p class="empty">{t(props.filtered ? "noGamesFilter" : "noGamesHere")}</p>
            )}
        </div>
    );
}
