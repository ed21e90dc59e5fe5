// Ways to keep moves, and to take moves and board elsewhere.
import { t, type Word } from "../i18n";
import { useCopy } from "./clipboard";
import type { TreeInWork } from "./kept-trees";
import { boardPicture } from "./picture";
import { pgnOf } from "./tree-pgn";
import type { Side } from "./squares";
import { TreeNames } from "./TreeNames";

function save(name: string, content: BlobPart, type: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}

export function TreeTools(props: {
    work: TreeInWork;
    fen: string;
    standard: boolean; // the tree begins with the start of its variant
    orientation: Side;
}) {
    const { work, fen } = props;
    const { tree } = work;
    const { copy, said } = useCopy();
    const pgn = () => pgnOf(tree, tree.name, tree.variant, props.standard);
    const file = tree.name.replace(/[^\p{L}\p{N}]+/gu, "-") || "fendex";
    const button = (word: Word, act: () => void) => (
        <button type="button" onClick={act}>
            {t(word)}
        </button>
    );
    return (
        <details class="tree-tools">
            <summary>{tree.name || t("treeTools")}</summary>
            <TreeNames work={work} />
            <p class="buttons">
                {button("copyPgn", () => copy(pgn()))}
                {button("downloadPgn", () => save(`${file}.pgn`, pgn(), "application/x-chess-pgn"))}
                {button("picture", () =>
                    void boardPicture(fen, props.orientation).then((svg) =>
                        save(`${file}.svg`, svg, "image/svg+xml"),
                    ),
                )}
                <span role="status">{said}</span>
            </p>
        </details>
    );
}
