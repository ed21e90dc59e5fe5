// Trees of moves under names, and ways to take moves, position and board elsewhere.
import { useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { forgetNamed, keepNamed, namedTrees, openTree, type TreeInWork } from "./kept-trees";
import { boardPicture } from "./picture";
import { pgnOf } from "./tree-pgn";
import type { Side } from "./squares";

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
            <Names work={work} />
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

// The tree gets a name; others are opened or removed.
function Names({ work }: { work: TreeInWork }) {
    const { tree, place, change } = work;
    const [name, setName] = useState(tree.name);
    const named = namedTrees().sort((a, b) => a.name.localeCompare(b.name));
    return (
        <>
            <form
                class="tree-name"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (name.trim() === "") return;
                    const kept = { ...tree, name: name.trim() };
                    keepNamed(kept);
                    change(kept, place);
                }}
            >
                <input
                    value={name}
                    aria-label={t("treeName")}
                    placeholder={t("treeName")}
                    autocomplete="off"
                    onInput={(event) => setName(event.currentTarget.value)}
                />
                <button type="submit">{t("keepTree")}</button>
                <button
                    type="button"
                    onClick={() => {
                        setName("");
                        change({ ...tree, name: "", comment: null, line: [] }, "0");
                    }}
                >
                    {t("newTree")}
                </button>
            </form>
            <ul class="tree-names" aria-label={t("keptTrees")}>
                {named.map((one) => (
                    <li key={one.name}>
                        <button type="button" class="link" onClick={() => openTree(one)}>
                            {one.name}
                        </button>
                        <button
                            type="button"
                            class="link"
                            aria-label={t("forgetTree", { name: one.name })}
                            title={t("forgetTree", { name: one.name })}
                            onClick={() => {
                                forgetNamed(one.name);
                                change(one.name === tree.name ? { ...tree, name: "" } : tree, place);
                            }}
                        >
                            ×
                        </button>
                    </li>
                ))}
            </ul>
        </>
    );
}
