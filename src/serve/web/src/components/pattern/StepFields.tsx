// One step of a pattern: the board, and what else must hold there.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { BoardEditor } from "../BoardEditor";
import { CodeField } from "../CodeField";
import { OwnJoker, patternPalette } from "../jokers";
import { MaterialField } from "../MaterialField";
import { patternOf, squaresOf, type Squares } from "../patterns";
import type { Step } from "./steps";

export function StepFields({ step, onChange }: { step: Step; onChange: (step: Step) => void }) {
    const { pattern, material, move } = step;
    // A text that is no whole board yet leaves the squares as they are.
    const [drawn, setDrawn] = useState<Squares>({});
    const squares = squaresOf(pattern) ?? drawn;
    const [added, setAdded] = useState<string[]>([]);

    function type(text: string): void {
        setDrawn(squares);
        onChange({ ...step, pattern: text });
    }

    return (
        <>
            <BoardEditor
                squares={squares}
                onChange={(to) => type(patternOf(to))}
                palette={patternPalette([...Object.values(squares), ...added])}
                label={t("patternBoard")}
            />
            <OwnJoker onAdd={(code) => setAdded([...added, code])} />
            <CodeField label={t("patternText")} value={pattern} onChange={type} />
            <MaterialField
                text={material}
                onChange={(text) => onChange({ ...step, material: text })}
            />
            <CodeField
                label={t("patternMove")}
                value={move}
                placeholder="Nf3-g1-e2, white xf7"
                title={t("patternMoveHint")}
                onChange={(text) => onChange({ ...step, move: text })}
            />
        </>
    );
}
