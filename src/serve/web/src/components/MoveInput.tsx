// Moves as text: Nf3, e8=Q, N@f3, g1f3.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import type { LegalMove } from "../types";
import { sanOf, sanText } from "./squares";

export function MoveInput(props: { legal: readonly LegalMove[]; onMove: (move: LegalMove) => void }) {
    const [text, setText] = useState("");
    const [wrong, setWrong] = useState("");
    function submit(event: Event): void {
        event.preventDefault();
        const typed = text.trim();
        if (typed === "") return;
        const plain = (san: string) => san.replace(/[+#=x!?]/g, "").replace(/0/g, "O");
        const wanted = plain(sanOf(typed));
        const move =
            props.legal.find((one) => plain(one.san) === wanted) ??
            props.legal.find((one) => one.uci === typed.toLowerCase()) ??
            props.legal.find((one) => plain(one.san).toLowerCase() === wanted.toLowerCase());
        if (!move) {
            setWrong(typed);
            return;
        }
        setWrong("");
        setText("");
        props.onMove(move);
    }
    return (
        <form class="move-input" onSubmit={submit}>
            <input
                value={text}
                size={6}
                aria-label={t("typeMove")}
                placeholder={sanText("Nf3")}
                title={t("typeMove")}
                aria-invalid={wrong !== ""}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => {
                    setText(event.currentTarget.value);
                    setWrong("");
                }}
            />
            <span class="failure" role="status">
                {wrong && t("noSuchMove", { text: wrong })}
            </span>
        </form>
    );
}
