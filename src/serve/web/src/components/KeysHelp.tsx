// The keys of a view, shown by "?".
import { useEffect, useRef } from "preact/hooks";
import { t, type Word } from "../i18n";
import { IconButton } from "./Icon";
import { useKeys } from "./keys";

const kKeys: [string, Word][] = [
    ["←", "back"],
    ["→", "forward"],
    ["↑", "toStart"],
    ["↓", "toEnd"],
    ["f", "flip"],
    ["?", "keysHelp"],
];

export function KeysHelp() {
    const dialog = useRef<HTMLDialogElement>(null);
    const show = () => dialog.current?.showModal();
    useKeys({ "?": show });
    useEffect(() => () => dialog.current?.close(), []);
    return (
        <>
            <IconButton label={t("keysHelp")} icon="keys" onClick={show} />
            <dialog ref={dialog} class="card" aria-label={t("keysHelp")}>
                <dl class="keys">
                    {kKeys.map(([key, word]) => (
                        <div key={key}>
                            <dt>
                                <kbd>{key}</kbd>
                            </dt>
                            <dd>{t(word).replace(/ \(.\)$/, "")}</dd>
                        </div>
                    ))}
                </dl>
                <p>{t("mouseHelp")}</p>
                <form method="dialog">
                    <button>{t("close")}</button>
                </form>
            </dialog>
        </>
    );
}
