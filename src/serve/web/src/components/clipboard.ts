// Texts for the clipboard, and what is said about it.
import { useState } from "preact/hooks";
import { t } from "../i18n";

export function useCopy(): { copy: (text: string) => void; said: string } {
    const [said, say] = useState("");
    const copy = (text: string) =>
        void navigator.clipboard.writeText(text).then(
            () => say(t("copied")),
            () => say(t("notCopied")),
        );
    return { copy, said };
}
