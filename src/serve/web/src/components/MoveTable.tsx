// The moves played from a position, with their results.
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { href, type Changes } from "../state";
import type { Tree, TreeMove } from "../types";
import { useRoving } from "./keys";
import { inOrder, useMoveOrder } from "./move-order";
import { MoveHead } from "./MoveHead";
import { MoveRow, MoveSums } from "./MoveRow";

interface MoveTableProps {
    tree: Tree;
    link: (move: TreeMove) => Changes;
    onPoint?: (move: TreeMove | null) => void; // hovered or focused
}

export function MoveTable({ tree, link, onPoint }: MoveTableProps) {
    const table = useRoving<HTMLTableElement>("tbody a");
    const [order, setOrder] = useMoveOrder();
    const moves = inOrder(tree, order);
    // After a move the rows are those of another position. The focus goes to the first row, and a
    // mouse that rests on a row points at its new move.
    useEffect(() => {
        const body = table.current?.tBodies[0];
        if (!body) return;
        if (body.contains(document.activeElement)) body.querySelector("a")?.focus();
        const hovered = [...body.rows].findIndex((row) => row.matches(":hover"));
        onPoint?.(moves[hovered] ?? null);
    }, [tree.fen]);
    const columns = {
        evals: tree.moves.some((move) => move.eval !== null),
        reached: tree.moves.some((move) => typeof move.reached === "number"),
    };
    return (
        <table ref={table} class="moves" onMouseLeave={() => onPoint?.(null)}>
            <caption class="hidden">{t("movesCaption")}</caption>
            <MoveHead {...columns} order={order} onOrder={setOrder} />
            <tbody>
                {moves.map((move, index) => (
                    <MoveRow
                        key={index}
                        tree={tree}
                        move={move}
                        columns={columns}
                        to={href(link(move))}
                        onPoint={onPoint}
                    />
                ))}
            </tbody>
            <MoveSums tree={tree} columns={columns} />
        </table>
    );
}
