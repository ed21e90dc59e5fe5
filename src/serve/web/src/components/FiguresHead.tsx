// The head of a table with a name and figures in each row.
export interface FiguresColumn {
    text: string;
    wide?: boolean; // only where there is room
}

export function FiguresHead({ name, columns }: { name: string; columns: readonly FiguresColumn[] }) {
    return (
        <thead>
            <tr>
                <th scope="col">{name}</th>
                {columns.map(({ text, wide }) => (
                    <th key={text} scope="col" class={wide ? "num wide" : "num"}>
                        {text}
                    </th>
                ))}
            </tr>
        </thead>
    );
}
