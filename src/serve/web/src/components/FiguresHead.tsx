// The head of a table with a name and figures in each row. Columns with a `sort` sort the table.
import { go, type Changes } from "../state";
import { SortHead } from "./SortHead";

export interface FiguresColumn {
    text: string;
    wide?: boolean; // only where there is room
    sort?: string; // the order of the API
}

export function FiguresHead(props: {
    name: string;
    nameSort?: string;
    sort?: string; // the current order
    columns: readonly FiguresColumn[];
}) {
    const head = ({ text, sort }: FiguresColumn, name: string) =>
        sort === undefined ? (
            <th key={text} scope="col" class={name}>
                {text}
            </th>
        ) : (
            <SortHead
                key={text}
                class={name}
                sorted={sort === props.sort}
                ascending={sort === props.nameSort}
                onSort={() => go(sortedBy(sort))}
            >
                {text}
            </SortHead>
        );
    return (
        <thead>
            <tr>
                {head({ text: props.name, sort: props.nameSort }, "")}
                {props.columns.map((column) => head(column, column.wide ? "num wide" : "num"))}
            </tr>
        </thead>
    );
}

// Returns the address of a list in another order, from its beginning.
export function sortedBy(sort: string | null): Changes {
    return { sort, cursor: null };
}
