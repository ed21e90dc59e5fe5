// The head of a column by which a table or a list can be sorted.
import type { ComponentChildren } from "preact";

export interface SortHeadProps {
    sorted: boolean; // by this column
    onSort: () => void;
    ascending?: boolean;
    class?: string;
    title?: string;
    children: ComponentChildren;
}

export function SortHead({ sorted, onSort, ascending, title, ...props }: SortHeadProps) {
    const order = ascending ? "ascending" : "descending";
    return (
        <th scope="col" class={props.class} aria-sort={sorted ? order : undefined}>
            <button type="button" class="sort" title={title} onClick={onSort}>
                {props.children}
            </button>
        </th>
    );
}
