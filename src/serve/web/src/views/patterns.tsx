// Finds positions by their look: a board with jokers, and the number of each piece.
import { useState } from "preact/hooks";
import { ApiError, call } from "../api";
import { BoardEditor } from "../components/BoardEditor";
import { Failure } from "../components/Failure";
import { Field } from "../components/Field";
import { FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { GameList } from "../components/GameList";
import { OwnJoker, patternPalette } from "../components/jokers";
import { MaterialField } from "../components/MaterialField";
import { PatternExamples } from "../components/PatternExamples";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import { patternOf, squaresOf, type Squares } from "../components/patterns";
import { piecesOf } from "../components/squares";
import { t } from "../i18n";
import { address, filters, go } from "../state";
import type { Hit, HitCount, Position } from "../types";
import type { View } from "./view";

interface Wanted {
    pattern: string;
    material: string;
    either: boolean;
}

const Patterns: View = ({ address: { params } }) => {
    const wanted: Wanted = {
        pattern: params.get("pattern") ?? "",
        material: params.get("material") ?? "",
        either: params.get("either") === "1",
    };
    const asked = wanted.pattern !== "" || wanted.material !== "";
    const query: [string, string | boolean][] = [
        ["pattern", wanted.pattern],
        ["material", wanted.material],
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
                        onChoose={({ pattern = "", material = "" }) =>
                            search({ pattern, material, either: false })
                        }
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
                        title={t("patternHits")}
                        jumps={chosen?.plies ?? []}
                    />
                </div>
            )}
        </div>
    );
};
export default Patterns;

// Counts all hits, on request: that takes longer than the first page.
function Count({ query }: { query: [string, string | boolean][] }) {
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

function search(to: Wanted): void {
    go({
        pattern: to.pattern.trim(),
        material: to.material.trim(),
        either: to.either,
        game: null,
        ply: null,
    });
}

function Form({ wanted }: { wanted: Wanted }) {
    const [squares, setSquares] = useState<Squares>(() => squaresOf(wanted.pattern) ?? {});
    const [pattern, setPattern] = useState(wanted.pattern);
    const [material, setMaterial] = useState(wanted.material);
    const [either, setEither] = useState(wanted.either);
    const [added, setAdded] = useState<string[]>([]);

    function draw(to: Squares): void {
        setSquares(to);
        setPattern(patternOf(to));
    }

    function type(text: string): void {
        setPattern(text);
        const read = squaresOf(text);
        if (read) setSquares(read);
    }

    return (
        <form
            class="card"
            onSubmit={(event) => {
                event.preventDefault();
                search({ pattern, material, either });
            }}
        >
            <p class="quiet intro">{t("patternsIntro")}</p>
            <BoardEditor
                squares={squares}
                onChange={draw}
                palette={patternPalette([...Object.values(squares), ...added])}
                label={t("patternBoard")}
            />
            <OwnJoker onAdd={(code) => setAdded([...added, code])} />
            <Field label={t("patternText")}>
                <input
                    class="code"
                    value={pattern}
                    spellcheck={false}
                    autocomplete="off"
                    onInput={(event) => type(event.currentTarget.value)}
                />
            </Field>
            <MaterialField text={material} onChange={setMaterial} />
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
                    onClick={() => void explorerFen().then((fen) => draw(piecesOf(fen)))}
                >
                    {t("takeFromBoard")}
                </button>
                <button
                    type="button"
                    onClick={() => {
                        draw({});
                        setMaterial("");
                        search({ pattern: "", material: "", either });
                    }}
                >
                    {t("clearPattern")}
                </button>
                <button
                    type="submit"
                    class="primary"
                    disabled={pattern.trim() === "" && material.trim() === ""}
                >
                    {t("searchPattern")}
                </button>
            </p>
        </form>
    );
}
