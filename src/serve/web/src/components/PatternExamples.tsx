// Examples of patterns, as diagrams of the pieces that they want.
import { t, type Word } from "../i18n";
import examples from "../views/pattern-examples.json";
import { Diagram } from "./Diagram";
import { squaresOf } from "./patterns";
import { boardText } from "./squares";

export interface Example {
    name: Word;
    pattern?: string;
    material?: string;
    board?: string; // of a position that has the material
}

const kExamples = examples as Example[];

// Returns the board with the pieces of a pattern, without its jokers.
function boardOf({ pattern, board }: Example): string {
    if (board) return board;
    const pieces = Object.entries(squaresOf(pattern ?? "") ?? {}).filter(([, code]) =>
        /^[kqrbnp]$/i.test(code),
    );
    return boardText(Object.fromEntries(pieces));
}

export function PatternExamples({ onChoose }: { onChoose: (example: Example) => void }) {
    return (
        <section aria-label={t("example")}>
            <h2 class="small-head">{t("example")}</h2>
            <ul class="example-boards">
                {kExamples.map((example) => (
                    <li key={example.name}>
                        <button type="button" onClick={() => onChoose(example)}>
                            <Diagram fen={`${boardOf(example)} w - - 0 1`} label={t(example.name)} />
                            <span aria-hidden="true">{t(example.name)}</span>
                        </button>
                    </li>
                ))}
            </ul>
        </section>
    );
}
