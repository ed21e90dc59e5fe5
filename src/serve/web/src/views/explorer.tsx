// The opening explorer: the board, the line, the moves played, and games.
import { useState } from "preact/hooks";
import { ApiError, useApi } from "../api";
import { Board } from "../components/Board";
import type { Arrow } from "../components/board-drawing";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { GameList, rowOf } from "../components/GameList";
import { useKeys } from "../components/keys";
import { afterMove, useLine, type Line } from "../components/line";
import { MoveLine, Walk } from "../components/MoveLine";
import { MoveTable } from "../components/MoveTable";
import { Pocket } from "../components/Pockets";
import { kVariants, PositionForm, showPosition } from "../components/PositionForm";
import { endsOf, sanOf, sanText } from "../components/squares";
import { count, t } from "../i18n";
import { filters, go, href } from "../state";
import type { GameRow, LegalMove, Position, Side, Tree, TreeMove } from "../types";
import type { View } from "./view";

const Explorer: View = ({ address }) => {
    const { params } = address;
    const line = useLine(params);
    const [arrow, setArrow] = useState<Arrow | null>(null);
    const [drop, setDrop] = useState<string | null>(null);
    const [settingUp, setSettingUp] = useState(false);
    const set = filters(params);
    const tree = useApi<Tree>("tree", [
        ...line.base,
        ["play", line.play.slice(0, line.at).join(",")],
        ...set,
    ]);
    const flipped = params.has("flip");
    const bottom: Side = flipped ? "black" : "white";

    const walk = (at: number) => {
        if (at < 0 || at > line.play.length) return;
        setArrow(null);
        go({ at: at === line.play.length ? null : at }, "replace");
    };
    const flip = () => go({ flip: !flipped }, "replace");
    useKeys({
        ArrowLeft: () => walk(line.at - 1),
        ArrowRight: () => walk(line.at + 1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(line.play.length),
        f: flip,
    });

    function play(move: LegalMove): void {
        setArrow(null);
        setDrop(null);
        go(afterMove(line, move.uci));
    }
    const uciOf = (move: TreeMove) =>
        line.legal.find((one) => one.san === move.san)?.uci ?? move.played ?? move.uci;
    const point = (uci: string | null | undefined) => {
        if (!uci) return setArrow(null);
        const { from, to } = endsOf(uci);
        setArrow({ from: from ?? to, to, kind: "hint" });
    };
    const openGame = (game: GameRow) => ({
        view: "games",
        game: game.ref ?? String(game.game_id),
        key: line.position?.key ?? null,
    });

    const last = line.at > 0 ? endsOf(line.play[line.at - 1]!) : null;
    const pockets = line.position?.pockets;
    const turn = line.position?.turn ?? "white";
    const pocket = (side: Side) =>
        pockets && (
            <Pocket
                side={side}
                pieces={pockets[side]}
                active={side === turn}
                chosen={drop}
                onChoose={setDrop}
            />
        );
    const status = line.position?.status;
    const lists = tree.data && tree.data.games > 0 ? tree.data : undefined;

    return (
        <div class={`explorer ${settingUp ? "setting-up" : ""}`}>
            <h1 class="hidden">{t("explorer")}</h1>
            <section class="board-side" aria-label={t("position")}>
                {settingUp && line.position ? (
                    <PositionForm
                        position={line.position}
                        variant={line.variant}
                        onDone={() => setSettingUp(false)}
                    />
                ) : (
                    <>
                        {pocket(flipped ? "white" : "black")}
                        <Board
                            fen={line.fen}
                            orientation={bottom}
                            legal={line.legal}
                            onMove={play}
                            lastMove={last}
                            check={status === "check" || status === "checkmate"}
                            arrows={arrow ? [arrow] : []}
                            drop={drop}
                            onDropped={() => setDrop(null)}
                        />
                        {pocket(flipped ? "black" : "white")}
                        <div class="under-board">
                            <Walk
                                at={line.at}
                                length={line.play.length}
                                onGo={walk}
                                onFlip={flip}
                            />
                            <MoveInput legal={line.legal} onMove={play} />
                        </div>
                    </>
                )}
                <PositionBar line={line} open={settingUp} onOpen={setSettingUp} />
            </section>
            <section class="tree-side card" aria-label={t("results")}>
                <Heading line={line} />
                <MoveLine start={line.start} line={line.moves} at={line.at} />
                <FilterChips />
                <Failure
                    error={line.error ?? tree.error}
                    again={() => {
                        line.again();
                        tree.again();
                    }}
                />
                <div class={tree.loading ? "waiting" : ""} aria-busy={tree.loading}>
                    {lists && lists.moves.length > 0 && (
                        <>
                            <MoveTable
                                tree={lists}
                                link={(move) => afterMove(line, uciOf(move))}
                                onPoint={(move) => point(move && (move.played ?? uciOf(move)))}
                            />
                            <p class="legend">{t("legend")}</p>
                        </>
                    )}
                    {lists && (lists.ended?.games ?? 0) > 0 && (
                        <p class="quiet">{count(lists.ended!.games, "oneEnded", "manyEnded")}</p>
                    )}
                    {tree.data && tree.data.games === 0 && (
                        <p class="empty">{t(set.length > 0 ? "noGamesFilter" : "noGamesHere")}</p>
                    )}
                </div>
            </section>
            <section class="games-side" aria-label={t("games")}>
                {lists?.topGames && lists.topGames.length > 0 && (
                    <div class="card">
                        <h2>{t("topGames")}</h2>
                        <GameList
                            compact
                            games={lists.topGames.map(rowOf)}
                            label={t("topGames")}
                            link={openGame}
                            onPoint={(game) => point(game?.uci)}
                        />
                    </div>
                )}
                {lists?.recentGames && lists.recentGames.length > 0 && (
                    <div class="card">
                        <h2>{t("recentGames")}</h2>
                        <GameList
                            compact
                            games={lists.recentGames.map(rowOf)}
                            label={t("recentGames")}
                            link={openGame}
                            onPoint={(game) => point(game?.uci)}
                        />
                    </div>
                )}
                {lists && (
                    <p>
                        <a class="button" href={href({ view: "games", here: true })}>
                            {t("allGamesHere")}
                        </a>
                    </p>
                )}
            </section>
        </div>
    );
};
export default Explorer;

function statusText(position: Position | undefined): string {
    switch (position?.status) {
        case "check":
            return t("check");
        case "checkmate":
            return t("checkmate");
        case "stalemate":
            return t("stalemate");
        case "insufficient material":
            return t("nobodyCanMate");
        case "seventy-five moves":
            return t("seventyFiveMoves");
        case undefined:
        case "ongoing":
            return "";
        default:
            return position!.status.replace(/_/g, " ");
    }
}

function Heading({ line }: { line: Line }) {
    const status = statusText(line.position);
    const variant = kVariants.find(([name]) => name === line.variant)?.[1];
    const plain = line.at === 0 && !line.base.some(([key, value]) => key === "fen" && value !== "");
    const checks = line.position?.checks as { white?: number; black?: number } | null | undefined;
    return (
        <header class="opening">
            <h2>
                {line.opening && <span class="eco">{line.opening.eco}</span>}{" "}
                {line.opening?.name ?? variant ?? t(plain ? "startHeading" : "noOpening")}
            </h2>
            <p class="quiet">
                {line.position
                    ? t(line.position.turn === "white" ? "whiteToMove" : "blackToMove")
                    : "\u00a0"}
                {status && `, ${status}`}
                {checks && typeof checks.white === "number" && (
                    <> · {t("checksGiven", { white: checks.white, black: checks.black ?? 0 })}</>
                )}
            </p>
        </header>
    );
}

// Moves can be typed, too: Nf3, e8=Q, N@f3, g1f3.
function MoveInput(props: { legal: readonly LegalMove[]; onMove: (move: LegalMove) => void }) {
    const [text, setText] = useState("");
    const [wrong, setWrong] = useState("");
    function submit(event: Event): void {
        event.preventDefault();
        const typed = text.trim();
        if (typed === "") return;
        const plain = (san: string) => san.replace(/[+#=x!?]/g, "").replace(/0/g, "O");
        const wanted = plain(sanOf(typed));
        const move =
            props.legal.find((one) => plain(one.san) === wanted) ??
            props.legal.find((one) => one.uci === typed.toLowerCase()) ??
            props.legal.find((one) => plain(one.san).toLowerCase() === wanted.toLowerCase());
        if (!move) {
            setWrong(typed);
            return;
        }
        setWrong("");
        setText("");
        props.onMove(move);
    }
    return (
        <form class="move-input" onSubmit={submit}>
            <input
                value={text}
                size={6}
                aria-label={t("typeMove")}
                placeholder={sanText("Nf3")}
                title={t("typeMove")}
                aria-invalid={wrong !== ""}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => {
                    setText(event.currentTarget.value);
                    setWrong("");
                }}
            />
            <span class="failure" role="status">
                {wrong && t("noSuchMove", { text: wrong })}
            </span>
        </form>
    );
}

function PositionBar(props: { line: Line; open: boolean; onOpen: (open: boolean) => void }) {
    const { line } = props;
    const [error, setError] = useState<ApiError>();
    const begun = line.play.length > 0 || line.base.some(([key, fen]) => key === "fen" && fen);

    function show(text: string): void {
        setError(undefined);
        showPosition(text, line.variant).catch((failure: unknown) => {
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
        });
    }

    return (
        <div class="position-bar">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    show(event.currentTarget.querySelector("input")!.value);
                }}
            >
                <input
                    class="fen"
                    key={line.fen}
                    defaultValue={line.fen}
                    aria-label={t("fenLabel")}
                    title={t("fenLabel")}
                    aria-invalid={error !== undefined}
                    spellcheck={false}
                    autocomplete="off"
                    onFocus={(event) => event.currentTarget.select()}
                />
            </form>
            <Failure error={error} />
            <select
                value={line.variant || "standard"}
                aria-label={t("variant")}
                title={t("variant")}
                onChange={(event) => {
                    const to = event.currentTarget.value;
                    go({ variant: to === "standard" ? null : to, fen: null, play: null, at: null });
                }}
            >
                {kVariants.map(([name, label]) => (
                    <option key={name} value={name}>
                        {label}
                    </option>
                ))}
            </select>
            <button type="button" onClick={() => props.onOpen(!props.open)}>
                {t(props.open ? "backToBoard" : "changePosition")}
            </button>
            {begun && !props.open && (
                <a class="button" href={href({ play: null, at: null, fen: null })}>
                    {t("newLine")}
                </a>
            )}
        </div>
    );
}
