// The moves that a player plays with a colour, as a tree, and the positions with the worst results.
import { useState } from "preact/hooks";
import { useApi } from "../api";
import { number, percent, t } from "../i18n";
import { filters, href, useAddress, type Changes } from "../state";
import type { OtherMove, Preparation, PreparedMove, WeakSpot } from "../types";
import { Diagram } from "./Diagram";
import { Failure } from "./Failure";
import { exploreLine, lineOf, lineText, numberedMove } from "./moves";
import { ResultsBar, scoreText } from "./ResultsBar";
import { sanText, sideOf, type Side } from "./squares";

export function Preparing({ name }: { name: string }) {
    const { params } = useAddress();
    const color: Side = params.get("color") === "black" ? "black" : "white";
    const { data, error, loading, again } = useApi<Preparation>(
        `players/${encodeURIComponent(name)}/prepare`,
        [["color", color], ...filters(params)],
    );
    // The explorer shows this player's games only.
    const theirs: Changes = { [color]: name };
    return (
        <section class="preparing" aria-busy={loading}>
            <header class="preparing-head">
                <h2>{t("prepareWith", { name })}</h2>
                <ul class="switch">
                    {(["white", "black"] as const).map((side) => (
                        <li key={side}>
                            <a
                                href={href({ color: side === "white" ? null : side })}
                                aria-current={side === color ? "true" : undefined}
                            >
                                {t(side === "white" ? "withWhite" : "withBlack", { name })}
                            </a>
                        </li>
                    ))}
                </ul>
            </header>
            <Failure error={error} again={again} />
            {data && data.color === color && (
                <div class="preparing-pair">
                    <Repertoire key={color} rows={data.repertoire} theirs={theirs} />
                    <WeakSpots key={`weak ${color}`} preparation={data} theirs={theirs} />
                </div>
            )}
        </section>
    );
}

interface Node {
    row: PreparedMove;
    sans: string[]; // from the start, with this move
    below: Node[];
}

// Builds the tree from its rows, which are in depth-first order with their depths.
function treeOf(rows: readonly PreparedMove[]): Node[] {
    const top: Node[] = [];
    const path: Node[] = [];
    for (const row of rows) {
        path.length = Math.min(path.length, row.depth);
        const parent = path[path.length - 1];
        const node: Node = { row, sans: [...(parent?.sans ?? []), row.san], below: [] };
        (parent?.below ?? top).push(node);
        path.push(node);
    }
    return top;
}

const kUnfolded = 2;

function Repertoire({ rows, theirs }: { rows: readonly PreparedMove[]; theirs: Changes }) {
    return (
        <section class="card repertoire">
            <h3>{t("whatIsPlayed")}</h3>
            <p class="quiet">{t("repertoireExplained")}</p>
            <Branches nodes={treeOf(rows)} theirs={theirs} />
        </section>
    );
}

function Branches({ nodes, theirs }: { nodes: readonly Node[]; theirs: Changes }) {
    return (
        <ul class="branches">
            {nodes.map((node) => (
                <Branch key={node.row.san} node={node} theirs={theirs} />
            ))}
        </ul>
    );
}

function Branch({ node, theirs }: { node: Node; theirs: Changes }) {
    const { row } = node;
    const [open, setOpen] = useState(row.depth < kUnfolded);
    const move = numberedMove(row.depth + 1, row.san);
    return (
        <li>
            <div class={`branch ${row.own ? "own" : ""}`}>
                {node.below.length > 0 ? (
                    <button
                        type="button"
                        class="fold"
                        aria-expanded={open}
                        aria-label={t("unfold", { move })}
                        onClick={() => setOpen(!open)}
                    />
                ) : (
                    <span class="fold" />
                )}
                <button
                    type="button"
                    class="link move"
                    title={t("openInExplorer")}
                    onClick={() => void exploreLine(lineOf(node.sans), theirs)}
                >
                    {move}
                </button>
                <span class="share" title={`${number(row.games)} ${t("gamesColumn")}`}>
                    {percent(row.share, 100)}
                </span>
                <ResultsBar results={row} />
                <span class="score">{scoreText(row.score)}</span>
                <span class="opening">{row.opening && `${row.eco} ${row.opening}`}</span>
            </div>
            {open && node.below.length > 0 && <Branches nodes={node.below} theirs={theirs} />}
        </li>
    );
}

const kFewSpots = 4;

function WeakSpots({ preparation, theirs }: { preparation: Preparation; theirs: Changes }) {
    const [all, setAll] = useState(false);
    const spots = preparation.weak_spots;
    return (
        <section class="card weak-spots">
            <h3>{t("weakSpots")}</h3>
            <p class="quiet">{t(spots.length > 0 ? "weakExplained" : "noWeakSpots")}</p>
            <ol>
                {(all ? spots : spots.slice(0, kFewSpots)).map((spot) => (
                    <li key={spot.fen}>
                        <Spot spot={spot} preparation={preparation} theirs={theirs} />
                    </li>
                ))}
            </ol>
            {!all && spots.length > kFewSpots && (
                <p class="buttons">
                    <button type="button" onClick={() => setAll(true)}>
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}

function Spot(props: { spot: WeakSpot; preparation: Preparation; theirs: Changes }) {
    const { spot, preparation } = props;
    // The board is shown from the side of the user, who prepares for games against this player.
    const mine: Side = preparation.color === "white" ? "black" : "white";
    return (
        <article class="spot">
            <Diagram fen={spot.fen} orientation={mine} />
            <div class="spot-text">
                <h4>
                    <button
                        type="button"
                        class="link"
                        title={t("openInExplorer")}
                        onClick={() => void exploreLine(spot.line, props.theirs)}
                    >
                        {lineText(spot.line)}
                    </button>
                </h4>
                {spot.opening && (
                    <p class="quiet">
                        {spot.eco} {spot.opening}
                    </p>
                )}
                <p class="spot-score">
                    <strong>
                        {t("weakScore", { score: scoreText(spot.score), games: spot.games })}
                    </strong>{" "}
                    <span class="quiet">
                        {t("usually", { score: scoreText(preparation.score) })}
                        {spot.last_year && `, ${t("lastIn", { year: String(spot.last_year) })}`}
                    </span>
                </p>
                <ResultsBar results={spot} />
                {spot.moves.length > 0 && (
                    <table class="figures">
                        <caption class="hidden">{t("weakMoves")}</caption>
                        <thead>
                            <tr>
                                <th scope="col">
                                    {t(sideOf(spot.fen) === "white" ? "whiteToMove" : "blackToMove")}
                                </th>
                                <th scope="col" class="num">
                                    {t("gamesColumn")}
                                </th>
                                <th scope="col" class="num">
                                    {t("scoreAgainst")}
                                </th>
                            </tr>
                        </thead>
                        <tbody>
                            {spot.moves.slice(0, 4).map((move) => (
                                <tr key={move.san}>
                                    <th scope="row">{sanText(move.san)}</th>
                                    <td class="num">{number(move.games)}</td>
                                    <td class="num">{against(move.against)}</td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                )}
            </div>
        </article>
    );
}

function against({ wins, draws, losses }: OtherMove["against"]): string {
    const games = wins + draws + losses;
    if (games === 0) return "–";
    return `${number((100 * (wins + draws / 2)) / games)}% (${number(games)})`;
}
