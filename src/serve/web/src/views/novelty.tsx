// Shows where each game of a PGN file left the games of the database.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, rows } from "../api";
import { Board } from "../components/Board";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GameCells, GameHeading } from "../components/GameCells";
import { GameList } from "../components/GameList";
import { useKeys, useRoving } from "../components/keys";
import { numberedMove } from "../components/moves";
import { ScoreBar } from "../components/MoveTable";
import { useInSight } from "../components/sight";
import { endsOf } from "../components/squares";
import { count, number, t } from "../i18n";
import { filters, go, href } from "../state";
import type { NoveltyRow as Row } from "../types";
import type { View } from "./view";

const kMostBytes = 8 * 1024 * 1024;
const kStored = "novelty.pgn";

// Returns the PGN text, which does not fit into the address. It is kept as long as the tab.
function stored(): string {
    return sessionStorage.getItem(kStored) ?? "";
}

function store(text: string): void {
    try {
        sessionStorage.setItem(kStored, text);
    } catch {
        sessionStorage.removeItem(kStored); // too large: lost after a reload
    }
}

interface Answers {
    rows: readonly Row[];
    error: ApiError | undefined;
    loading: boolean;
}

function useNovelties(pgn: string, filter: [string, string][]): Answers {
    const [answers, setAnswers] = useState<Answers>({ rows: [], error: undefined, loading: false });
    useEffect(() => {
        if (pgn === "") {
            setAnswers({ rows: [], error: undefined, loading: false });
            return;
        }
        const abort = new AbortController();
        async function read(): Promise<void> {
            const found: Row[] = [];
            let shown = performance.now();
            const body = { method: "POST", body: pgn, type: "application/x-chess-pgn" } as const;
            for await (const row of rows<Row>("novelty", filter, { ...body, signal: abort.signal })) {
                found.push(row);
                if (performance.now() - shown < 200) continue;
                shown = performance.now();
                setAnswers({ rows: [...found], error: undefined, loading: true });
            }
            setAnswers({ rows: found, error: undefined, loading: false });
        }
        setAnswers({ rows: [], error: undefined, loading: true });
        read().catch((failure: unknown) => {
            if (abort.signal.aborted) return;
            const error =
                failure instanceof ApiError
                    ? failure
                    : new ApiError(0, "unreadable", String(failure), null);
            setAnswers((before) => ({ ...before, error, loading: false }));
        });
        return () => abort.abort();
    }, [pgn, JSON.stringify(filter)]);
    return answers;
}

const Novelty: View = ({ address }) => {
    const { params } = address;
    const [pgn, setPgn] = useState(stored);
    const answers = useNovelties(pgn, filters(params));
    const at = Number(params.get("n") ?? 1);
    const chosen = answers.rows[at - 1];

    function take(text: string): void {
        store(text);
        setPgn(text);
        go({ n: null }, "replace");
    }

    useKeys({
        f: () => go({ flip: params.get("flip") === null }, "replace"),
    });

    return (
        <Drop onText={take}>
            <div class={`beside ${chosen ? "has-board" : ""}`}>
                <div class="beside-list">
                    <h1 class="hidden">{t("novelty")}</h1>
                    <div class={pgn === "" ? "" : "novelty-top"}>
                        <Input pgn={pgn} onText={take} />
                        <FilterChips />
                    </div>
                    <Failure error={answers.error} />
                    {answers.loading && (
                        <p class="quiet" role="status">
                            {t("searching")}
                        </p>
                    )}
                    {pgn !== "" && !answers.loading && !answers.error && (
                        <p role="status">
                            {answers.rows.length > 0
                                ? count(answers.rows.length, "oneGame", "manyGames")
                                : t("notPgn")}
                        </p>
                    )}
                    <Rows rows={answers.rows} at={at} />
                </div>
                <div class="beside-board">
                    {chosen && <Shown row={chosen} flipped={params.get("flip") !== null} />}
                </div>
            </div>
        </Drop>
    );
};
export default Novelty;

// Accepts a file that is dropped anywhere on the view.
function Drop(props: { onText: (text: string) => void; children: ComponentChildren }) {
    const [over, setOver] = useState(false);
    return (
        <div
            class={`drop ${over ? "drop-over" : ""}`}
            onDragOver={(event) => {
                event.preventDefault();
                setOver(true);
            }}
            onDragLeave={(event) => {
                if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
            }}
            onDrop={(event) => {
                event.preventDefault();
                setOver(false);
                const file = event.dataTransfer?.files[0];
                if (file) void file.text().then(props.onText);
                else props.onText(event.dataTransfer?.getData("text/plain") ?? "");
            }}
        >
            {props.children}
            {over && (
                <p class="drop-here" aria-hidden="true">
                    {t("dropHere")}
                </p>
            )}
        </div>
    );
}

function Input({ pgn, onText }: { pgn: string; onText: (text: string) => void }) {
    const [text, setText] = useState("");
    const [open, setOpen] = useState(false);
    const [tooLarge, setTooLarge] = useState(false);
    const chooser = useRef<HTMLInputElement>(null);

    function take(given: string): void {
        const large = new Blob([given]).size > kMostBytes;
        setTooLarge(large);
        if (large) return;
        onText(given);
        setOpen(false);
        setText("");
    }

    const form = (
        <form
            class="card novelty-form"
            onSubmit={(event) => {
                event.preventDefault();
                take(text);
            }}
        >
            <p class="intro">{t("noveltyIntro")}</p>
            <input
                ref={chooser}
                class="hidden"
                type="file"
                accept=".pgn,text/plain,application/x-chess-pgn"
                tabIndex={-1}
                aria-label={t("choosePgn")}
                onChange={(event) => {
                    const file = event.currentTarget.files?.[0];
                    if (file) void file.text().then(take);
                }}
            />
            <p class="buttons">
                <button type="button" class="primary" onClick={() => chooser.current?.click()}>
                    {t("choosePgn")}
                </button>
            </p>
            <label class="field">
                <span>{t("pastePgn")}</span>
                <textarea
                    rows={5}
                    spellcheck={false}
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                />
            </label>
            <p class="buttons">
                <button type="submit" disabled={text.trim() === ""}>
                    {t("checkPgn")}
                </button>
            </p>
            {tooLarge && (
                <p class="failure" role="alert">
                    {t("fileTooLarge")}
                </p>
            )}
        </form>
    );
    if (pgn === "" || open) return form;
    return (
        <p class="buttons">
            <button type="button" onClick={() => setOpen(true)}>
                {t("anotherPgn")}
            </button>
        </p>
    );
}

function Rows({ rows: games, at }: { rows: readonly Row[]; at: number }) {
    const list = useRoving<HTMLOListElement>("a");
    if (games.length === 0) return null;
    return (
        <ol ref={list} class="game-list novelty-list" aria-label={t("noveltyGames")}>
            {games.map((row, index) => (
                <li key={row.game}>
                    <a
                        href={href({ n: index === 0 ? null : index + 1 })}
                        aria-current={index + 1 === at ? "true" : undefined}
                    >
                        <GameCells game={row} />
                        <span class="new-move">
                            {row.novelty ? numberedMove(row.novelty.ply, row.novelty.san) : "–"}
                        </span>
                    </a>
                </li>
            ))}
        </ol>
    );
}

function Shown({ row, flipped }: { row: Row; flipped: boolean }) {
    const section = useInSight<HTMLElement>(row.game);
    const fresh = row.novelty;
    const most = row.played.reduce((sum, move) => sum + move.games, 0);
    const fen = row.fen;
    const arrows = [
        ...row.played.slice(0, 3).map((move) => ({ ...endsOf(move.uci), kind: "hint" as const })),
        ...(fresh ? [{ ...endsOf(fresh.uci), kind: "fresh" as const }] : []),
    ].flatMap(({ from, to, kind }) => (from ? [{ from, to, kind }] : []));
    return (
        <section ref={section} class="game-board" aria-label={t("newMove")}>
            <header>
                <GameHeading game={row} />
                {row.errors.map((error, index) => (
                    <p class="failure" key={index}>
                        {t("errorsInGame", { reason: error.reason })}
                    </p>
                ))}
            </header>
            {fen && <Board fen={fen} orientation={flipped ? "black" : "white"} arrows={arrows} />}
            <p class="novelty-move">
                {fresh
                    ? t("newMoveIs", { move: numberedMove(fresh.ply, fresh.san) })
                    : t("nothingNew")}
            </p>
            <p>{row.games === 1 ? t("knownInOne") : t("knownIn", { n: row.games })}</p>
            {row.played.length > 0 && row.ply !== null && (
                <table class="figures played">
                    <caption>{t("playedBefore")}</caption>
                    <thead class="hidden">
                        <tr>
                            <th scope="col">{t("move")}</th>
                            <th scope="col">{t("gamesColumn")}</th>
                            <th scope="col">{t("results")}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {row.played.slice(0, 8).map((move) => (
                            <tr key={move.uci}>
                                <th scope="row">{numberedMove(row.ply! + 1, move.san)}</th>
                                <td class="num" title={`${number(move.games)} / ${number(most)}`}>
                                    {number(move.games)}
                                </td>
                                <td class="results">
                                    <ScoreBar score={move} />
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {row.ended > 0 && <p class="quiet">{t("endedBefore", { n: row.ended })}</p>}
            {row.last && row.last_ref && (
                <>
                    <h3>{t("lastPlayedBy")}</h3>
                    <GameList
                        games={[{ ...row.last, ref: row.last_ref }]}
                        label={t("lastPlayedBy")}
                        compact
                        link={(game) => ({ view: "games", game: game.ref, ply: row.ply })}
                    />
                </>
            )}
            {fen && (
                <p class="ways">
                    <a href={href({ view: "explorer", fen, play: null, at: null })}>
                        {t("openInExplorer")}
                    </a>
                </p>
            )}
        </section>
    );
}
