// A field that shows the FEN of the position and takes whatever leads to another one: a FEN, a PGN
// game, an address, the name of an opening.
import { useEffect, useId, useState } from "preact/hooks";
import { ApiError, useApi } from "../api";
import { t } from "../i18n";
import type { OpeningRow, Page } from "../types";
import { useCopy } from "./clipboard";
import { Failure } from "./Failure";
import { Field } from "./Field";
import { IconButton } from "./Icon";
import { isOpeningName } from "./opening-lines";
import { showPasted } from "./pasted";

export function PositionField({ fen, variant }: { fen: string; variant: string }) {
    const [error, setError] = useState<ApiError>();
    const [typed, setTyped] = useState("");
    const { copy, said } = useCopy();
    const list = useId();
    const openings = useOpenings(typed);

    function show(text: string): void {
        setError(undefined);
        setTyped("");
        showPasted(text, variant).catch((failure: unknown) => {
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
        });
    }

    return (
        <div class="position-field">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    show(event.currentTarget.querySelector("input")!.value);
                }}
            >
                <Field label={t("fenLabel")}>
                    <input
                        class="fen"
                        key={fen}
                        list={list}
                        defaultValue={fen}
                        title={t("fenHint")}
                        placeholder={t("fenHint")}
                        aria-invalid={error !== undefined}
                        spellcheck={false}
                        autocomplete="off"
                        onFocus={(event) => event.currentTarget.select()}
                        onInput={(event) => setTyped(event.currentTarget.value)}
                        onPaste={(event) => {
                            // A field of one line would join the lines of a game.
                            const text = event.clipboardData?.getData("text") ?? "";
                            if (!text.trim().includes("\n")) return;
                            event.preventDefault();
                            show(text);
                        }}
                    />
                </Field>
                <datalist id={list}>
                    {openings.map(({ eco, opening, games }) => (
                        <option key={`${eco} ${opening}`} value={opening ?? ""}>
                            {`${eco} · ${t("gamesOf", { n: games })}`}
                        </option>
                    ))}
                </datalist>
                <IconButton label={t("copyFen")} icon="copy" onClick={() => copy(fen)} />
                <IconButton label={t("copyLink")} icon="link" onClick={() => copy(location.href)} />
            </form>
            <span class="hidden" role="status">
                {said}
            </span>
            <Failure error={error} />
        </div>
    );
}

// Returns the openings whose names fit what is typed, when the typing pauses.
function useOpenings(typed: string): readonly OpeningRow[] {
    const [asked, setAsked] = useState("");
    useEffect(() => {
        const pause = setTimeout(() => setAsked(isOpeningName(typed) ? typed.trim() : ""), 150);
        return () => clearTimeout(pause);
    }, [typed]);
    const { data } = useApi<Page<OpeningRow>>(asked ? "openings" : null, [
        ["opening", asked],
        ["limit", 12],
    ]);
    return asked ? (data?.items ?? []) : [];
}
