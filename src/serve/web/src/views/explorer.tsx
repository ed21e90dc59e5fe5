// The opening explorer: the board, the line, the moves played, and games.
import { useState } from "preact/hooks";
import { url, useApi, type Answer, type Query } from "../api";
import type { Arrow } from "../components/board-drawing";
import { Evaluation, useEvaluations } from "../components/Evaluation";
import { ExplorerBoard } from "../components/ExplorerBoard";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { useTree } from "../components/kept-trees";
import { LineTree } from "../components/LineTree";
import { TreeTools } from "../components/TreeTools";
import { KeysHelp } from "../components/KeysHelp";
import { GameList, rowOf, type ListedGame } from "../components/GameList";
import { afterMove, useLine, type Line } from "../components/line";
import { MoveTable } from "../components/MoveTable";
import { kVariants } from "../components/PositionForm";
import { endsOf } from "../components/squares";
import { count, t } from "../i18n";
import { filters, href } from "../state";
import { useTitle } from "../title";
import type { Position, Tree, TreeMove } from "../types";
import type { View } from "./view";

// Shows a move as an arrow on the board, or no move.
type Point = (uci: string | null | undefined) => void;

const Explorer: View = ({ address }) => {
    const { params } = address;
    const line = useLine(params);
    const work = useTree(line);
    const [arrow, setArrow] = useState<Arrow | null>(null);
    const [settingUp, setSettingUp] = useState(false);
    const set = filters(params);
    const asked: Query = [...line.base, ["play", line.play.slice(0, line.at).join(",")], ...set];
    const tree = useApi<Tree>("tree", asked);
    useTitle(line.opening && `${line.opening.eco} ${line.opening.name}`);
    const evaluations = useEvaluations(line);
    const point: Point = (uci) => {
        if (!uci) return setArrow(null);
        const { from, to } = endsOf(uci);
        setArrow({ from: from ?? to, to, kind: "hint" });
    };
    return (
        <div class={`explorer ${settingUp ? "setting-up" : ""}`}>
            <h1 class="hidden">{t("explorer")}</h1>
            <ExplorerBoard
                line={line}
                work={work}
                flipped={params.has("flip")}
                arrow={arrow}
                score={evaluations?.pvs[0] ?? null}
                onLeave={() => setArrow(null)}
                settingUp={settingUp}
                onSetUp={setSettingUp}
            />
            <section class="tree-side card" aria-label={t("results")}>
                <Heading line={line} />
                <LineTree work={work} />
                <TreeTools
                    key={work.tree.name}
                    work={work}
                    fen={line.fen}
                    standard={!line.base.some(([key, value]) => key === "fen" && value !== "")}
                    orientation={params.has("flip") ? "black" : "white"}
                />
                <FilterChips />
                <Failure
                    error={line.error ?? tree.error}
                    again={() => {
                        line.again();
                        tree.again();
                    }}
                />
                <Evaluation line={line} known={evaluations} />
                <Moves
                    line={line}
                    tree={tree}
                    pgn={url("tree.pgn", asked)}
                    filtered={set.length > 0}
                    onPoint={point}
                />
            </section>
            <KeysHelp />
            <section class="games-side" aria-label={t("games")}>
                {tree.data && tree.data.games > 0 && (
                    <Games lists={tree.data} line={line} onPoint={point} />
                )}
            </section>
        </div>
    );
};
export default Explorer;

// The moves played from here, or why there are none.
function Moves(props: {
    line: Line;
    tree: Answer<Tree>;
    pgn: string; // the address of the tree as PGN
    filtered: boolean;
    onPoint: Point;
}) {
    const { line, onPoint } = props;
    const { data, loading } = props.tree;
    const uciOf = (move: TreeMove) =>
        line.legal.find((one) => one.san === move.san)?.uci ?? move.played;
    const ended = data && data.games > 0 ? data.ended.games : 0;
    return (
        <div class={loading ? "waiting" : ""} aria-busy={loading}>
            {data && data.games > 0 && data.moves.length > 0 && (
                <>
                    <MoveTable
                        tree={data}
                        link={(move) => afterMove(line, uciOf(move))}
                        onPoint={(move) => onPoint(move?.played)}
                    />
                    <p class="legend">{t("legend")}</p>
                    <p class="buttons">
                        <a class="button" href={props.pgn} download="tree.pgn">
                            {t("treePgn")}
                        </a>
                    </p>
                </>
            )}
            {ended > 0 && <p class="quiet">{count(ended, "oneEnded", "manyEnded")}</p>}
            {data && data.games === 0 && (
                <p class="empty">{t(props.filtered ? "noGamesFilter" : "noGamesHere")}</p>
            )}
        </div>
    );
}

// Some of the games that came here.
function Games({ lists, line, onPoint }: { lists: Tree; line: Line; onPoint: Point }) {
    const openGame = (game: ListedGame) => ({
        view: "games",
        game: game.ref,
        key: line.position?.key ?? null,
    });
    return (
        <>
            {(["topGames", "recentGames"] as const).map((name) => {
                const games = lists[name];
                if (games.length === 0) return null;
                return (
                    <div key={name} class="card">
                        <h2>{t(name)}</h2>
                        <GameList
                            compact
                            games={games.map(rowOf)}
                            label={t(name)}
                            link={openGame}
                            onPoint={(game) => onPoint(game?.uci)}
                        />
                    </div>
                );
            })}
            <p>
                <a class="button" href={href({ view: "games", here: true })}>
                    {t("allGamesHere")}
                </a>
            </p>
        </>
    );
}

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
    const checks = line.position?.checks;
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
                {checks && <> · {t("checksGiven", { white: checks.white, black: checks.black })}</>}
            </p>
        </header>
    );
}
