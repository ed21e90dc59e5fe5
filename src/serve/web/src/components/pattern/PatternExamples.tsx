// Examples of patterns, as diagrams of the pieces that they want.
import { t, type Word } from "../../i18n";
import examples from "../../views/pattern-examples.json";
import { Diagram } from "../Diagram";
import { squaresOf } from "../patterns";
import { kNoStep, stepOf, type Sequence } from "./steps";
import { boardText } from "../squares";

interface Example {
    name: Word;
    pattern?: string;
    material?: string;
    move?: string;
    then?: string[];
    streak?: boolean;
    board?: string; // of a position that fits, if there is no pattern
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

function sequenceOf({ pattern = "", material = "", move = "", ...rest }: Example): Sequence {
    const first = { ...kNoStep, pattern, material, move };
    return {
        steps: [first, ...(rest.then ?? []).map(stepOf)],
        within: "",
        streak: rest.streak ?? false,
    };
}

export function PatternExamples({ onChoose }: { onChoose: (sequence: Sequence) => void }) {
    return (
        <section aria-label={t("example")}>
            <h2 class="small-head">{t("example")}</h2>
            <ul class="example-boards">
                {kExamples.map((example) => (
                    <li key={example.name}>
                        <button type="button" onClick={() => onChoose(sequenceOf(example))}>
                            <Diagram fen={`${boardOf(example)} w - - 0 1`} label={t(example.name)} />
                            <span aria-hidden="true">{t(example.name)}</span>
                        </button>
                    </li>
                ))}
            </ul>
        </section>
    );
}
