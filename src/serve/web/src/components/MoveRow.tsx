// Rows of the table of moves: one for a move, and the sums of all.
import { count, percent, t } from "../i18n";
import type { Tree, TreeMove } from "../types";
import { scoreText } from "./Evaluation";
import { GamesNumber } from "./GamesNumber";
import { leadsTo, openingText } from "./opening-names";
import { ScoreBar } from "./ScoreBar";
import { sanText } from "./squares";

// The columns that not every table has.
interface MoveColumns {
    evals: boolean;
    reached: boolean;
}

export function MoveRow(props: {
    tree: Tree;
    move: TreeMove;
    columns: MoveColumns;
    to: string; // the address after the move
    onPoint: ((move: TreeMove | null) => void) | undefined;
}) {
    const { tree, move, columns } = props;
    return (
        <tr onMouseEnter={() => props.onPoint?.(move)}>
            <th scope="row">
                <a
                    href={props.to}
                    onFocus={() => props.onPoint?.(move)}
                    onBlur={() => props.onPoint?.(null)}
                    title={move.opening ? openingText(move.opening) : undefined}
                >
                    {sanText(move.san)}
                </a>
            </th>
            <td class="num">
                <GamesNumber n={move.games} />
            </td>
            <td class="num share">{shareText(move.games, tree.games)}</td>
            <td class="results">
                <ScoreBar score={move} />
            </td>
            {columns.reached && (
                <td class={`num reached ${more(move) ? "more" : ""}`}>
                    {typeof move.reached === "number" && <GamesNumber n={move.reached} />}
                </td>
            )}
            {columns.evals && <td class="num eval">{move.eval ? scoreText(move.eval) : ""}</td>}
            <td class="num rating">{move.averageRating ?? ""}</td>
            <td class="num performance">{move.performance ?? ""}</td>
            <td class="leads">{leadsTo(tree, move)}</td>
        </tr>
    );
}

export function MoveSums({ tree, columns }: { tree: Tree; columns: MoveColumns }) {
    return (
        <tfoot>
            <tr>
                <th scope="row">
                    <span aria-hidden="true">Σ</span>
                    <span class="hidden">{t("allGames")}</span>
                </th>
                <td class="num" title={count(tree.games, "oneGame", "manyGames")}>
                    <GamesNumber n={tree.games} />
                </td>
                <td class="num share" />
                <td class="results">
                    <ScoreBar score={tree} />
                </td>
                {columns.reached && <td class="num reached" />}
                {columns.evals && <td class="num eval" />}
                <td class="num rating" />
                <td class="num performance" />
                <td class="leads" />
            </tr>
        </tfoot>
    );
}

function more(move: TreeMove): boolean {
    return typeof move.reached === "number" && move.reached > move.games;
}

function shareText(part: number, whole: number): string {
    return part > 0 && part < whole / 200 ? `<${percent(1, 100)}` : percent(part, whole);
}
