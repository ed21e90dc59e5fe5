// A form for another position: set up by hand, or by PGN text.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api";
import { t } from "../i18n";
import type { Position } from "../types";
import { SetUpForm } from "./editor/SetUpForm";
import { Failure } from "./Failure";
import { Field } from "./Field";
import { showPasted } from "./pasted";

export function PositionForm(props: { position: Position; variant: string; onDone: () => void }) {
    const [text, setText] = useState("");
    const [error, setError] = useState<ApiError>();
    const [busy, setBusy] = useState(false);

    async function show(what: string): Promise<void> {
        if (what.trim() === "") return;
        setBusy(true);
        setError(undefined);
        try {
            await showPasted(what, props.variant);
            props.onDone();
        } catch (failure) {
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
        } finally {
            setBusy(false);
        }
    }

    const form = useRef<HTMLDivElement>(null);
    useEffect(() => {
        // On a phone, the button that opened the form may be far below it.
        const top = form.current!.getBoundingClientRect().top;
        if (top < 0) form.current!.scrollIntoView();
    }, []);

    return (
        <div ref={form} class="position-form">
            <Failure error={error} />
            <SetUpForm fen={props.position.fen} busy={busy} onShow={(fen) => void show(fen)} />
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    void show(text);
                }}
            >
                <Field label={t("movesOrPgn")}>
                    <textarea
                        rows={3}
                        spellcheck={false}
                        value={text}
                        placeholder="1.e4 c5 2.Nf3 d6 …"
                        onInput={(event) => setText(event.currentTarget.value)}
                        onKeyDown={(event) => {
                            if (event.key === "Enter" && !event.shiftKey) {
                                event.preventDefault();
                                void show(text);
                            }
                        }}
                    />
                </Field>
                <p class="buttons">
                    <button type="submit" disabled={busy || text.trim() === ""}>
                        {t("showPosition")}
                    </button>
                </p>
            </form>
        </div>
    );
}
