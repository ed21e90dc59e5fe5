// What is searched: the steps of a pattern.
import { useState } from "preact/hooks";
import { call } from "../../api";
import { t } from "../../i18n";
import { address } from "../../state";
import type { Position } from "../../types";
import { patternOf } from "../patterns";
import { piecesOf } from "../squares";
import { LaterSteps } from "./LaterSteps";
import { StepFields } from "./StepFields";
import { isEmpty, kNoStep, type Sequence, type Step, type Wanted } from "./steps";
import { StepTabs } from "./StepTabs";

// Returns the position that the explorer shows, which is in the address.
async function explorerFen(): Promise<string> {
    const { params } = address();
    const play = (params.get("play") ?? "").split(",");
    const position = await call<Position>("position", [
        ["variant", params.get("variant")],
        ["fen", params.get("fen")],
        ["play", play.slice(0, Number(params.get("at") ?? play.length)).join(",")],
    ]);
    return position.fen;
}

interface Props {
    wanted: Wanted;
    onSearch: (wanted: Wanted) => void;
}

export function PatternForm({ wanted, onSearch }: Props) {
    const [sequence, setSequence] = useState(wanted.sequence);
    const [at, setAt] = useState(0);
    const [either, setEither] = useState(wanted.either);
    const { steps } = sequence;
    const step = steps[at] ?? kNoStep;
    function changeSteps(to: Sequence, shown = at): void {
        setSequence(to);
        setAt(shown);
    }
    const change = (to: Step) =>
        setSequence({ ...sequence, steps: steps.map((one, n) => (n === at ? to : one)) });

    return (
        <form
            class="card"
            onSubmit={(event) => {
                event.preventDefault();
                onSearch({ sequence, either });
            }}
        >
            <p class="quiet intro">{t("patternsIntro")}</p>
            <StepTabs sequence={sequence} at={at} onChange={changeSteps} />
            <StepFields key={at} step={step} onChange={change} />
            <LaterSteps sequence={sequence} onChange={changeSteps} />
            <label class="check">
                <input
                    type="checkbox"
                    checked={either}
                    onChange={(event) => setEither(event.currentTarget.checked)}
                />{" "}
                {t("eitherSide")}
            </label>
            <p class="buttons">
                <button
                    type="button"
                    onClick={() =>
                        void explorerFen().then((fen) =>
                            change({ ...step, pattern: patternOf(piecesOf(fen)) }),
                        )
                    }
                >
                    {t("takeFromBoard")}
                </button>
                <button
                    type="button"
                    onClick={() => {
                        const nothing = { steps: [kNoStep], within: "", streak: false };
                        setSequence(nothing);
                        setAt(0);
                        onSearch({ sequence: nothing, either });
                    }}
                >
                    {t("clearPattern")}
                </button>
                <button type="submit" class="primary" disabled={steps.every(isEmpty)}>
                    {t("searchPattern")}
                </button>
            </p>
        </form>
    );
}
