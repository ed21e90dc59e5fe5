// Finds positions by their look: a board with jokers, the number of each piece, the move that is
// played, and what comes later in the game.
import { useState } from "preact/hooks";
import { ApiError, call, type Query } from "../api";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { GameList } from "../components/GameList";
import { PatternExamples } from "../components/PatternExamples";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import { patternOf } from "../components/patterns";
import { piecesOf } from "../components/squares";
import { StepFields } from "../components/StepFields";
import {
    fieldsOf,
    isEmpty,
    kNoStep,
    sequenceOf,
    type Sequence,
    type Step,
} from "../components/steps";
import { LaterSteps, StepTabs } from "../components/StepTabs";
import { t } from "../i18n";
import { address, filters, go } from "../state";
import type { Hit, HitCount, Position } from "../types";
import type { View } from "./view";

interface Wanted {
    sequence: Sequence;
    either: boolean;
}

const Patterns: View = ({ address: { params } }) => {
    const wanted: Wanted = { sequence: sequenceOf(params), either: params.get("either") === "1" };
    const asked = wanted.sequence.steps.some((step) => !isEmpty(step));
    const { then, ...fields } = fieldsOf(wanted.sequence);
    const query: Query = [
        ...Object.entries(fields),
        ...then.map((step) => ["then", step] as const),
        ["either-side", wanted.either],
        ...filters(params),
    ];
    const pages = usePages<Hit>(asked ? "find" : null, query, 20);
    const game = params.get("game");
    const chosen = pages.items.find((row) => row.ref === game);
    return (
        <div class={`patterns ${game ? "has-board" : ""}`}>
            <div class="pattern-form">
                <h1 class="hidden">{t("patterns")}</h1>
                <Form key={JSON.stringify(wanted)} wanted={wanted} />
            </div>
            <div class="pattern-results card">
                <FilterChips />
                {!asked && (
                    <PatternExamples
                        onChoose={(sequence) => search({ sequence, either: false })}
                    />
                )}
                {asked && (
                    <>
                        <Count key={JSON.stringify(query)} query={query} />
                        <GameList
                            games={pages.items}
                            label={t("patternResults")}
                            selected={game}
                            link={(row) => ({ game: row.ref, ply: row.ply })}
                        />
                        <MorePages pages={pages} empty="noPattern" busy="searching" />
                    </>
                )}
            </div>
            {game && (
                <div class="beside-board card">
                    <GameBoard
                        game={game}
                        ply={Number(params.get("ply") ?? 0)}
                        title={t(chosen?.steps ? "patternSteps" : "patternHits")}
                        jumps={chosen?.steps ?? chosen?.plies ?? []}
                    />
                </div>
            )}
        </div>
    );
};
export default Patterns;

// Counts all hits, on request: that takes longer than the first page.
function Count({ query }: { query: Query }) {
    const [text, setText] = useState<string>();
    const [error, setError] = useState<ApiError>();
    async function run(): Promise<void> {
        setText(t("counting"));
        try {
            const found = await call<HitCount>("find", [...query, ["count", true]]);
            setText(t("patternCount", { games: found.games, positions: found.occurrences }));
        } catch (failure) {
            setText(undefined);
            if (failure instanceof ApiError) setError(failure);
        }
    }
    return (
        <div class="pattern-count">
            <p role="status">{text}</p>
            {text === undefined && (
                <button type="button" class="link" onClick={() => void run()}>
                    {t("countAll")}
                </button>
            )}
            <Failure error={error} />
        </div>
    );
}

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

function search({ sequence, either }: Wanted): void {
    go({ ...fieldsOf(sequence), either, game: null, ply: null });
}

function Form({ wanted }: { wanted: Wanted }) {
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
                search({ sequence, either });
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
                        search({ sequence: nothing, either });
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
