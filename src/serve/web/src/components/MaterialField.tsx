// How many of each piece: as a text, and as lists to choose from.
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { CodeField } from "./CodeField";
import { conditionsOf, kOpposite, materialOf } from "./patterns";
import { PieceCount } from "./PieceCount";

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
            <CodeField
                label={t("materialText")}
                value={text}
                placeholder="KRPvKR"
                title={t("materialHint")}
                onChange={onChange}
            />
            <details
                class="material"
                open={open}
                onToggle={(event) => setOpen(event.currentTarget.open)}
            >
                <summary>{t("materialPieces")}</summary>
                {["QRBNP", "qrbnp"].map((pieces) => (
                    <div key={pieces} class="counts">
                        {[...pieces].map((piece) => (
                            <PieceCount
                                key={piece}
                                piece={piece}
                                how={conditions?.[piece] ?? ""}
                                onChange={(how) =>
                                    onChange(materialOf({ ...conditions, [piece]: how }))
                                }
                            />
                        ))}
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
