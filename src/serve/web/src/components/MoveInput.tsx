// Moves as text: Nf3, e8=Q, N@f3, g1f3.
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import type { LegalMove } from "../types";
import { sanOf, sanText } from "./squares";

function moveNamed(typed: string, legal: readonly LegalMove[]): LegalMove | undefined {
    const plain = (san: string) => san.replace(/[+#=x!?]/g, "").replace(/0/g, "O");
    const wanted = plain(sanOf(typed));
    return (
        legal.find((one) => plain(one.san) === wanted) ??
        legal.find((one) => one.uci === typed.toLowerCase()) ??
        legal.find((one) => plain(one.san).toLowerCase() === wanted.toLowerCase())
    );
}

// `legal` is null while the position is loading: what is entered meanwhile is played then.
export function MoveInput(props: {
    legal: readonly LegalMove[] | null;
    onMove: (move: LegalMove) => void;
}) {
    const { legal } = props;
    const [text, setText] = useState("");
    const [entered, setEntered] = useState("");
    const [wrong, setWrong] = useState("");
    useEffect(() => {
        if (entered === "" || legal === null) return;
        setEntered("");
        const move = moveNamed(entered, legal);
        setWrong(move ? "" : entered);
        if (!move) return;
        setText("");
        props.onMove(move);
    }, [entered, legal]);
    function submit(event: Event): void {
        event.preventDefault();
        setEntered(text.trim());
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
                    setEntered("");
                    setWrong("");
                }}
            />
            <span class="failure" role="status">
                {wrong && t("noSuchMove", { text: wrong })}
            </span>
        </form>
    );
}
