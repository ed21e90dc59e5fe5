// Names for trees of moves: the tree in work gets one, others are opened or removed.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { forgetNamed, keepNamed, namedTrees, openTree, type TreeInWork } from "./kept-trees";

export function TreeNames({ work }: { work: TreeInWork }) {
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
