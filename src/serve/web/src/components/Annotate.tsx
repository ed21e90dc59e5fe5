// The comment and the sign of the move on the board. Its variation can be promoted or removed.
import { useRef, useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { commentText, withText } from "./comments";
import { IconButton } from "./Icon";
import type { TreeInWork } from "./kept-trees";
import { nagText } from "./nags";
import { annotated, commentAt, promoted, resolve, without } from "./tree";

// The signs that can be given: for the move, then for the position.
const kNags = [1, 2, 3, 4, 5, 6, 10, 13, 14, 15, 16, 17, 18, 19];

export function Annotate({ work }: { work: TreeInWork }) {
    const { tree, place, change } = work;
    const { move } = resolve(tree, place);
    const comment = commentAt(tree, place);
    const [text, setText] = useState(commentText(comment));
    const latest = useRef(text);
    latest.current = text;
    const button = (word: Word, icon: "promote" | "remove", able: boolean, act: () => void) => (
        <IconButton label={t(word)} icon={icon} disabled={!able} onClick={act} />
    );
    return (
        <form
            class="annotate"
            onSubmit={(event) => {
                event.preventDefault();
                change(annotated(tree, place, { comment: withText(comment, text) }), place);
            }}
        >
            <select
                aria-label={t("sign")}
                title={t("sign")}
                disabled={!move}
                value={String(move?.nags[0] ?? "")}
                onChange={(event) => {
                    const nag = event.currentTarget.value;
                    change(annotated(tree, place, { nags: nag ? [Number(nag)] : [] }), place);
                }}
            >
                <option value="">–</option>
                {kNags.map((nag) => (
                    <option key={nag} value={nag}>
                        {nagText(nag)}
                    </option>
                ))}
            </select>
            <input
                value={text}
                aria-label={t("comment")}
                placeholder={t("comment")}
                autocomplete="off"
                onInput={(event) => setText(event.currentTarget.value)}
                onChange={() =>
                    change(
                        annotated(tree, place, { comment: withText(comment, latest.current) }),
                        place,
                    )
                }
            />
            {button("promoteLine", "promote", place.includes("-"), () => {
                const after = promoted(tree, place);
                change(after.tree, after.place);
            })}
            {button("removeMoves", "remove", move !== null, () => {
                const after = without(tree, place);
                change(after.tree, after.place);
            })}
        </form>
    );
}
