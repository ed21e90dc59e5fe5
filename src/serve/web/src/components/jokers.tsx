// Stones of a pattern that stand for several pieces, and those that the user makes.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { kPieceCodes, pieceStones, type Stone } from "./editor/stones";
import { Field } from "./Field";
import { pieceName } from "./squares";

function jokerStone(code: string): Stone {
    if (kPieceCodes.includes(code)) return { code, label: pieceName(code) };
    if (code === "!") return { code, label: t("jokerAny") };
    if (code === "A") return { code, label: t("jokerWhite") };
    if (code === "a") return { code, label: t("jokerBlack") };
    if (code === "1") return { code, label: t("jokerEmpty"), text: "×" };
    const not = code.startsWith("[^");
    const pieces = code.slice(not ? 2 : 1, -1);
    return {
        code,
        label: t(not ? "jokerNot" : "jokerSet", { pieces }),
        text: not ? `≠${pieces}` : pieces,
    };
}

// Pieces, jokers, and sets of pieces as in `codes`.
export function patternPalette(codes: readonly string[]): Stone[] {
    const sets = new Set(codes.filter((code) => code.startsWith("[")));
    return [
        ...pieceStones(),
        ...["A", "a", "!", "1", "[^p]", "[^P]"].map(jokerStone),
        ...[...sets].filter((code) => !/^\[\^[Pp]\]$/.test(code)).map(jokerStone),
    ];
}

export function OwnJoker({ onAdd }: { onAdd: (code: string) => void }) {
    const [pieces, setPieces] = useState("QR");
    const code = `[${pieces}]`;
    const good = /^\[\^?[KQRBNPkqrbnp]+\]$/.test(code);
    return (
        <div class="fields joker-own">
            <Field label={t("jokerOwn")}>
                <input
                    value={pieces}
                    size={6}
                    spellcheck={false}
                    title={t("jokerOwnHint")}
                    onInput={(event) => setPieces(event.currentTarget.value)}
                    onKeyDown={(event) => {
                        if (event.key !== "Enter") return;
                        event.preventDefault();
                        if (good) onAdd(code);
                    }}
                />
            </Field>
            <button type="button" disabled={!good} onClick={() => onAdd(code)}>
                {t("addJoker")}
            </button>
        </div>
    );
}
