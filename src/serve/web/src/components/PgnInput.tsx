// Takes a PGN text: a file that is chosen, or what is pasted.
import { useRef, useState } from "preact/hooks";
import { t, type Word } from "../i18n";

export function PgnInput(props: {
    pgn: Blob | null;
    intro: Word;
    submit: Word;
    onFile: (file: Blob) => void;
}) {
    const [text, setText] = useState("");
    const [open, setOpen] = useState(false);
    const chooser = useRef<HTMLInputElement>(null);

    function take(file: Blob): void {
        props.onFile(file);
        setOpen(false);
        setText("");
    }

    if (props.pgn !== null && !open)
        return (
            <p class="buttons">
                <button type="button" onClick={() => setOpen(true)}>
                    {t("anotherPgn")}
                </button>
            </p>
        );
    return (
        <form
            class="novelty-form"
            onSubmit={(event) => {
                event.preventDefault();
                take(new Blob([text]));
            }}
        >
            <p class="intro">{t(props.intro)}</p>
            <input
                ref={chooser}
                class="hidden"
                type="file"
                accept=".pgn,text/plain,application/x-chess-pgn"
                tabIndex={-1}
                aria-label={t("choosePgn")}
                onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    if (file) take(file);
                }}
            />
            <p class="buttons">
                <button type="button" class="primary" onClick={() => chooser.current?.click()}>
                    {t("choosePgn")}
                </button>
            </p>
            <label class="field">
                <span>{t("pastePgn")}</span>
                <textarea
                    rows={5}
                    spellcheck={false}
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                />
            </label>
            <p class="buttons">
                <button type="submit" disabled={text.trim() === ""}>
                    {t(props.submit)}
                </button>
            </p>
        </form>
    );
}
