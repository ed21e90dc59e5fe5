// Finds positions by their look: a board with jokers, and the number of each piece.
import { useEffect, useState } from "preact/hooks";
import { ApiError, call } from "../api";
import { BoardEditor, kPieceCodes, pieceStones, type Stone } from "../components/BoardEditor";
import { Failure } from "../components/Failure";
import { Field, FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { GameList } from "../components/GameList";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import {
    conditionsOf,
    materialOf,
    patternOf,
    squaresOf,
    type Squares,
} from "../components/patterns";
import { Piece } from "../components/Piece";
import { pieceName, piecesOf } from "../components/squares";
import { t, type Word } from "../i18n";
import { address, filters, go } from "../state";
import { ref, type GameRow, type Position } from "../types";
import examples from "./pattern-examples.json";
import type { View } from "./view";

interface Wanted {
    pattern: string;
    material: string;
    either: boolean;
}

interface Example {
    name: Word;
    pattern?: string;
    material?: string;
}

const kExamples = examples as Example[];

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
    const pages = usePages<GameRow & { plies: number[] }>(asked ? "find" : null, query, 20);
    const game = params.get("game");
    const chosen = pages.items.find((row) => ref(row) === game);
    return (
        <div class={`patterns ${game ? "has-board" : ""}`}>
            <div class="pattern-form">
                <h1 class="hidden">{t("patterns")}</h1>
                <Form key={JSON.stringify(wanted)} wanted={wanted} />
            </div>
            <div class="pattern-results">
                <FilterChips />
                {asked && (
                    <>
                        <Count key={JSON.stringify(query)} query={query} />
                        <GameList
                            games={pages.items}
                            label={t("patternResults")}
                            compact
                            selected={game}
                            link={(row) => ({ game: ref(row), ply: row.ply })}
                        />
                        <MorePages pages={pages} empty="noPattern" busy="searching" />
                    </>
                )}
            </div>
            {game && (
                <div class="beside-board">
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
            const found = await call<{ games: number; occurrences: number }>("find", [
                ...query,
                ["count", true],
            ]);
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

function Form({ wanted }: { wanted: Wanted }) {
    const [squares, setSquares] = useState<Squares>(() => squaresOf(wanted.pattern) ?? {});
    const [pattern, setPattern] = useState(wanted.pattern);
    const [material, setMaterial] = useState(wanted.material);
    const [either, setEither] = useState(wanted.either);
    const [own, setOwn] = useState("QR");
    const [added, setAdded] = useState<string[]>([]);
    const sets = [...Object.values(squares), ...added].filter((code) => code.startsWith("["));
    const palette = [
        ...pieceStones(),
        ...["A", "a", "!", "1", "[^p]", "[^P]"].map(jokerStone),
        ...[...new Set(sets)].filter((code) => !/^\[\^[Pp]\]$/.test(code)).map(jokerStone),
    ];

    function draw(to: Squares): void {
        setSquares(to);
        setPattern(patternOf(to));
    }

    function type(text: string): void {
        setPattern(text);
        const read = squaresOf(text);
        if (read) setSquares(read);
    }

    function search(event?: Event, to: Wanted = { pattern, material, either }): void {
        event?.preventDefault();
        go({
            pattern: to.pattern.trim(),
            material: to.material.trim(),
            either: to.either,
            game: null,
            ply: null,
        });
    }

    // Takes the position that the explorer shows, which is in the address.
    async function take(): Promise<void> {
        const { params } = address();
        const play = (params.get("play") ?? "").split(",");
        const position = await call<Position>("position", [
            ["variant", params.get("variant")],
            ["fen", params.get("fen")],
            ["play", play.slice(0, Number(params.get("at") ?? play.length)).join(",")],
        ]);
        draw(piecesOf(position.fen));
    }

    const ownCode = `[${own}]`;
    const ownGood = /^\[\^?[KQRBNPkqrbnp]+\]$/.test(ownCode);
    return (
        <form class="card" onSubmit={search}>
            <p class="quiet intro">{t("patternsIntro")}</p>
            <BoardEditor
                squares={squares}
                onChange={draw}
                palette={palette}
                label={t("patternBoard")}
            />
            <div class="fields joker-own">
                <Field label={t("jokerOwn")}>
                    <input
                        value={own}
                        size={6}
                        spellcheck={false}
                        title={t("jokerOwnHint")}
                        onInput={(event) => setOwn(event.currentTarget.value)}
                        onKeyDown={(event) => {
                            if (event.key !== "Enter") return;
                            event.preventDefault();
                            if (ownGood) setAdded([...added, ownCode]);
                        }}
                    />
                </Field>
                <button
                    type="button"
                    disabled={!ownGood}
                    onClick={() => setAdded([...added, ownCode])}
                >
                    {t("addJoker")}
                </button>
            </div>
            <Field label={t("patternText")}>
                <input
                    class="code"
                    value={pattern}
                    spellcheck={false}
                    autocomplete="off"
                    onInput={(event) => type(event.currentTarget.value)}
                />
            </Field>
            <Material text={material} onChange={setMaterial} />
            <label class="check">
                <input
                    type="checkbox"
                    checked={either}
                    onChange={(event) => setEither(event.currentTarget.checked)}
                />{" "}
                {t("eitherSide")}
            </label>
            <p class="buttons">
                <button type="button" onClick={() => void take()}>
                    {t("takeFromBoard")}
                </button>
                <button
                    type="button"
                    onClick={() => {
                        draw({});
                        setMaterial("");
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
            <h2 class="small-head">{t("example")}</h2>
            <ul class="examples">
                {kExamples.map((example) => (
                    <li key={example.name}>
                        <button
                            type="button"
                            class="link"
                            onClick={() =>
                                search(undefined, {
                                    pattern: example.pattern ?? "",
                                    material: example.material ?? "",
                                    either: false,
                                })
                            }
                        >
                            {t(example.name)}
                        </button>
                    </li>
                ))}
            </ul>
        </form>
    );
}

const kCounts = ["=0", "=1", "=2", ">=1", ">=2", "<=1"];
const kPawnCounts = ["=0", "=1", "=2", "=3", ">=1", ">=2", ">=4", "<=1", "<=2", "<=4"];
const kSigns: Record<string, string> = { "=": "", ">=": "≥", "<=": "≤", "!=": "≠", "<": "<", ">": ">" };

function countText(how: string): string {
    return how.replace(/^\D+/, (sign) => kSigns[sign] ?? sign);
}

function Material({ text, onChange }: { text: string; onChange: (text: string) => void }) {
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
                            const choices = how === "" || listed.includes(how) ? listed : [how, ...listed];
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
            </details>
        </>
    );
}
