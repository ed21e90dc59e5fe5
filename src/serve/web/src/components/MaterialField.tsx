// How many of each piece: as a text, and as lists to choose from.
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { Field } from "./FilterChips";
import { conditionsOf, kOpposite, materialOf } from "./patterns";
import { Piece } from "./Piece";
import { pieceName } from "./squares";

const kCounts = ["=0", "=1", "=2", ">=1", ">=2", "<=1"];
const kPawnCounts = ["=0", "=1", "=2", "=3", ">=1", ">=2", ">=4", "<=1", "<=2", "<=4"];
const kSigns: Record<string, string> = {
    "=": "",
    ">=": "≥",
    "<=": "≤",
    "!=": "≠",
    "<": "<",
    ">": ">",
};

function countText(how: string): string {
    return how.replace(/^\D+/, (sign) => kSigns[sign] ?? sign);
}

export function MaterialField({
    text,
    onChange,
}: {
    text: string;
    onChange: (text: string) => void;
}) {
    const conditions = conditionsOf(text);
    const [open, setOpen] = useState(conditions !== null && text.trim() !== "");
    useEffect(() => {
        if (text.trim() !== "" && conditions !== null) setOpen(true);
    }, [text]);
    return (
        <>
            <Field label={t("materialText")}>
                <input
                    class="code"
                    value={text}
                    placeholder="KRPvKR"
                    title={t("materialHint")}
                    spellcheck={false}
                    autocomplete="off"
                    onInput={(event) => onChange(event.currentTarget.value)}
                />
            </Field>
            <details
                class="material"
                open={open}
                onToggle={(event) => setOpen(event.currentTarget.open)}
            >
                <summary>{t("materialPieces")}</summary>
                {["QRBNP", "qrbnp"].map((pieces) => (
                    <div key={pieces} class="counts">
                        {[...pieces].map((piece) => {
                            const how = conditions?.[piece] ?? "";
                            const listed = piece.toLowerCase() === "p" ? kPawnCounts : kCounts;
                            const choices =
                                how === "" || listed.includes(how) ? listed : [how, ...listed];
                            return (
                                <label key={piece}>
                                    <Piece piece={piece} />
                                    <select
                                        aria-label={pieceName(piece)}
                                        value={how}
                                        onChange={(event) =>
                                            onChange(
                                                materialOf({
                                                    ...conditions,
                                                    [piece]: event.currentTarget.value,
                                                }),
                                            )
                                        }
                                    >
                                        <option value="">–</option>
                                        {choices.map((choice) => (
                                            <option key={choice} value={choice}>
                                                {countText(choice)}
                                            </option>
                                        ))}
                                    </select>
                                </label>
                            );
                        })}
                    </div>
                ))}
                <label class="check">
                    <input
                        type="checkbox"
                        checked={kOpposite in (conditions ?? {})}
                        onChange={(event) => {
                            const { [kOpposite]: _, ...rest } = conditions ?? {};
                            const asked = event.currentTarget.checked && { [kOpposite]: kOpposite };
                            onChange(materialOf({ ...rest, ...asked }));
                        }}
                    />{" "}
                    {t("oppositeBishops")}
                </label>
            </details>
        </>
    );
}
