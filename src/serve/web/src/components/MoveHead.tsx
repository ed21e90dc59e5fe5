// The head of the table of moves, by whose columns it is sorted.
import { t, type Word } from "../i18n";
import type { MoveOrder } from "./move-order";
import { SortHead } from "./SortHead";

export function MoveHead(props: {
    evals: boolean;
    reached: boolean;
    order: MoveOrder;
    onOrder: (order: MoveOrder) => void;
}) {
    const head = (order: MoveOrder, name: string, word: Word, explained?: Word) => (
        <SortHead
            class={name}
            title={explained && t(explained)}
            sorted={props.order === order}
            onSort={() => props.onOrder(props.order === order ? "games" : order)}
        >
            {t(word)}
        </SortHead>
    );
    return (
        <thead>
            <tr>
                <th scope="col">{t("move")}</th>
                {head("games", "num", "here", "hereExplained")}
                <th scope="col" class="num share">
                    <span class="hidden">{t("share")}</span>
                    <span aria-hidden="true">%</span>
                </th>
                {head("score", "results", "results", "scoreExplained")}
                {props.reached && head("reached", "num reached", "anyOrder", "reachedExplained")}
                {props.evals && head("eval", "num eval", "eval", "evalExplained")}
                {head("rating", "num rating", "rating", "ratingExplained")}
                {head("performance", "num performance", "performance", "performanceExplained")}
                <th scope="col" class="leads">
                    {t("leadsTo")}
                </th>
            </tr>
        </thead>
    );
}
