// Ways to keep moves, and to take moves, position and board elsewhere.
import { useState } from "preact/hooks";
import { t, type Word } from "../i18n";
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
    const [said, say] = useState("");
    const pgn = () => pgnOf(tree, tree.name, tree.variant, props.standard);
    const file = tree.name.replace(/[^\p{L}\p{N}]+/gu, "-") || "fendex";
    const copy = (text: string) =>
        void navigator.clipboard.writeText(text).then(
            () => say(t("copied")),
            () => say(t("notCopied")),
        );
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
                {button("copyFen", () => copy(fen))}
                {button("copyLink", () => copy(location.href))}
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
