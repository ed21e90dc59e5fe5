// A position that is set up by hand: the pieces, the side to move, the rights to castle.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { BoardEditor } from "../BoardEditor";
import { Field } from "../Field";
import { boardText, piecesOf, sideOf } from "../squares";
import { CastlingFlags, kFlags, type Flag } from "./CastlingFlags";
import { pieceStones } from "./stones";

export function SetUpForm(props: { fen: string; busy: boolean; onShow: (fen: string) => void }) {
    const [squares, setSquares] = useState(() => piecesOf(props.fen));
    const [side, setSide] = useState(sideOf(props.fen));
    const [flags, setFlags] = useState<readonly Flag[]>(() => {
        const field = props.fen.split(/[ _]/)[2] ?? "";
        return kFlags.filter((flag) => field.includes(flag));
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
                <CastlingFlags flags={flags} onChange={setFlags} />
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
