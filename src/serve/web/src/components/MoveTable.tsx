// The moves played from a position, with their results.
import { useEffect, useState } from "preact/hooks";
import { count, number, percent, shortNumber, t } from "../i18n";
import { keep, setting } from "../settings";
import { href, type Changes } from "../state";
import type { Opening, Tree, TreeMove } from "../types";
import { scoreText } from "./Evaluation";
import { useRoving } from "./keys";
import { inOrder, kMoveOrders, type MoveOrder } from "./move-order";
import { MoveHead } from "./MoveHead";
import { ScoreBar } from "./ScoreBar";
import { sanText } from "./squares";

// A number of games. A large number has a short form for narrow screens.
function Games({ n }: { n: number }) {
    if (n < 100_000) return <>{number(n)}</>;
    return (
        <>
            <span class="long">{number(n)}</span>
            <span class="short" title={number(n)}>
                {shortNumber(n)}
            </span>
        </>
    );
}

// The order that was chosen last.
function useMoveOrder(): [MoveOrder, (order: MoveOrder) => void] {
    const kept = kMoveOrders.find((one) => one === setting("moveOrder"));
    const [order, setOrder] = useState<MoveOrder>(kept ?? "games");
    const set = (to: MoveOrder) => {
        keep("moveOrder", to);
        setOrder(to);
    };
    return [order, set];
}

export interface MoveTableProps {
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
    const evals = tree.moves.some((move) => move.eval !== null);
    const reached = tree.moves.some((move) => typeof move.reached === "number");
    return (
        <table ref={table} class="moves" onMouseLeave={() => onPoint?.(null)}>
            <caption class="hidden">{t("movesCaption")}</caption>
            <MoveHead evals={evals} reached={reached} order={order} onOrder={setOrder} />
            <tbody>
                {moves.map((move, index) => (
                    <tr key={index} onMouseEnter={() => onPoint?.(move)}>
                        <th scope="row">
                            <a
                                href={href(link(move))}
                                onFocus={() => onPoint?.(move)}
                                onBlur={() => onPoint?.(null)}
                                title={move.opening ? openingText(move.opening) : undefined}
                            >
                                {sanText(move.san)}
                            </a>
                        </th>
                        <td class="num">
                            <Games n={move.games} />
                        </td>
                        <td class="num share">{shareText(move.games, tree.games)}</td>
                        <td class="results">
                            <ScoreBar score={move} />
                        </td>
                        {reached && (
                            <td class={`num reached ${more(move) ? "more" : ""}`}>
                                {typeof move.reached === "number" && <Games n={move.reached} />}
                            </td>
                        )}
                        {evals && (
                            <td class="num eval">{move.eval ? scoreText(move.eval) : ""}</td>
                        )}
                        <td class="num rating">{move.averageRating ?? ""}</td>
                        <td class="num performance">{move.performance ?? ""}</td>
                        <td class="leads">{leadsTo(tree, move)}</td>
                    </tr>
                ))}
            </tbody>
            <tfoot>
                <tr>
                    <th scope="row">
                        <span aria-hidden="true">Σ</span>
                        <span class="hidden">{t("allGames")}</span>
                    </th>
                    <td class="num" title={count(tree.games, "oneGame", "manyGames")}>
                        <Games n={tree.games} />
                    </td>
                    <td class="num share" />
                    <td class="results">
                        <ScoreBar score={tree} />
                    </td>
                    {reached && <td class="num reached" />}
                    {evals && <td class="num eval" />}
                    <td class="num rating" />
                    <td class="num performance" />
                    <td class="leads" />
                </tr>
            </tfoot>
        </table>
    );
}

function more(move: TreeMove): boolean {
    return typeof move.reached === "number" && move.reached > move.games;
}

function shareText(part: number, whole: number): string {
    return part > 0 && part < whole / 200 ? `<${percent(1, 100)}` : percent(part, whole);
}

// Returns the opening after the move, without the name of the opening before it.
function leadsTo(tree: Tree, move: TreeMove): string {
    const name = move.opening?.name ?? "";
    const before = tree.opening?.name;
    if (name === before) return "";
    return before && name.startsWith(before)
        ? name.slice(before.length).replace(/^[:, ]+/, "")
        : name;
}

export function openingText(opening: Opening): string {
    return `${opening.eco} ${opening.name}`;
}
