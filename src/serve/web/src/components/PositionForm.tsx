// A form for another position: by FEN, by PGN text, or set up by hand.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api";
import { t, type Word } from "../i18n";
import type { Position } from "../types";
import { BoardEditor, pieceStones } from "./BoardEditor";
import { Failure } from "./Failure";
import { Field } from "./FilterChips";
import { showPasted } from "./pasted";
import { boardText, piecesOf, sideOf } from "./squares";

export const kVariants: [string, string][] = [
    ["standard", "Standard"],
    ["chess960", "Chess960"],
    ["crazyhouse", "Crazyhouse"],
    ["3check", "Three-check"],
    ["kingofthehill", "King of the Hill"],
    ["atomic", "Atomic"],
    ["antichess", "Antichess"],
    ["suicide", "Suicide"],
    ["losers", "Losers"],
    ["horde", "Horde"],
    ["racingkings", "Racing Kings"],
];

const kFlags = ["K", "Q", "k", "q"] as const;
const kFlagWords: Record<string, Word> = {
    K: "whiteShort",
    Q: "whiteLong",
    k: "blackShort",
    q: "blackLong",
};

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
        <div ref={form} class="card position-form">
            <Failure error={error} />
            <SetUp fen={props.position.fen} busy={busy} onShow={(fen) => void show(fen)} />
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

function SetUp(props: { fen: string; busy: boolean; onShow: (fen: string) => void }) {
    const [squares, setSquares] = useState(() => piecesOf(props.fen));
    const [side, setSide] = useState(sideOf(props.fen));
    const [flags, setFlags] = useState(() => {
        const field = props.fen.split(/[ _]/)[2] ?? "";
        return kFlags.filter((flag) => field.includes(flag)) as string[];
    });
    const fen = `${boardText(squares)} ${side === "white" ? "w" : "b"} ${
        kFlags.filter((flag) => flags.includes(flag)).join("") || "-"
    } - 0 1`;
    return (
        <section aria-label={t("setUp")}>
            <BoardEditor
                squares={squares}
                onChange={setSquares}
                palette={pieceStones()}
                label={t("setUpBoard")}
            />
            <div class="fields">
                <Field label={t("toMove")}>
                    <select
                        value={side}
                        onChange={(event) =>
                            setSide(event.currentTarget.value as "white" | "black")
                        }
                    >
                        <option value="white">{t("white")}</option>
                        <option value="black">{t("black")}</option>
                    </select>
                </Field>
                <fieldset class="flags">
                    <legend>{t("castling")}</legend>
                    {kFlags.map((flag) => (
                        <label key={flag}>
                            <input
                                type="checkbox"
                                checked={flags.includes(flag)}
                                onChange={(event) =>
                                    setFlags(
                                        event.currentTarget.checked
                                            ? [...flags, flag]
                                            : flags.filter((one) => one !== flag),
                                    )
                                }
                            />{" "}
                            {t(kFlagWords[flag]!)}
                        </label>
                    ))}
                </fieldset>
            </div>
            <p class="buttons">
                <button type="button" onClick={() => setSquares({})}>
                    {t("clearBoard")}
                </button>
                <button
                    type="button"
                    onClick={() => {
                        setSquares(piecesOf("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
                        setFlags([...kFlags]);
                        setSide("white");
                    }}
                >
                    {t("startPosition")}
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled={props.busy}
                    onClick={() => props.onShow(fen)}
                >
                    {t("showPosition")}
                </button>
            </p>
        </section>
    );
}
